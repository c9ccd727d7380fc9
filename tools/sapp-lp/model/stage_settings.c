/* Stage settings: lists of undominated settings, and a cache of them. */
#include "stage_settings.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"

struct cache_entry {
	int *key;		/* [1 + chunks]: stage, contents */
	struct stage_settings *settings;	/* allocated by itself: it does not move when the table grows */
};

/* MB of a row with MIX[chunks], of which BESIDE does not depend on them. */
static double
row_memory(const struct problem *p, int stage, int row, const struct mix *const mix[], double beside)
{
	const int *live = p->evaluator.rows[stage].live + row * p->chunks;
	const int *held = p->evaluator.rows[stage].held + row * p->chunks;
	double sum = beside;

	for (int v = 0; v < p->chunks; v++)
		sum += live[v] * mix[v]->activation;
	for (int v = 0; v < p->chunks && p->holds; v++)
		sum += held[v] * mix[v]->kept;
	return sum;
}

double
stage_peak(const struct problem *p, int stage, const int *content, const int *mix)
{
	const struct content *chunk[CHUNKS_MAX];
	const struct mix *of[CHUNKS_MAX];
	double most = 0;

	for (int v = 0; v < p->chunks; v++) {
		chunk[v] = &p->contents.content[content[v]];
		of[v] = problem_mix(p, content[v], mix[v]);
	}
	for (int i = 0; i < p->evaluator.rows[stage].n; i++)
		most = fmax(most, row_memory(p, stage, i, of, row_beside(p, stage, i, chunk, p->chunks)));
	return stage_fixed(p, stage, chunk) + most;
}

bool
candidate_fits(const struct problem *p, const struct candidate *c)
{
	int content[CHUNKS_MAX], mix[CHUNKS_MAX];

	for (int s = 0; s < p->stages; s++) {
		candidate_stage(p, c, s, content, mix);
		if (stage_peak(p, s, content, mix) > p->limit[s] + MEMORY_SLACK)
			return false;
	}
	return true;
}

/*
 * A list of settings, none dominated by another. They are added in the lexicographic order of their mixes, along
 * which backward times grow: a later one is slower in the first chunk where they differ, so it cannot dominate an
 * earlier one. Where parts of them matter, activations shrink along the order instead: no mix of a front can dominate
 * one before it in both parts. Where kinds differ in what waits for W, any can, and those before it leave the list.
 */
struct undominated {
	int n, room, width;	/* width: chunks */
	bool both_ways;		/* a later one may dominate an earlier one */
	double *backward;	/* [n][width], ms */
	double *gradient;	/* [n][width], ms; NULL: parts of backwards do not matter */
	short *mix;		/* [n][width] */
};

static bool
beats(const double *a, const double *b, int n, double slack)
{
	for (int i = 0; i < n; i++)
		if (a[i] > b[i] * (1 + slack))
			return false;
	return true;
}

/* The same of both parts of the backwards A and B, of which PART_A and PART_B are one. */
static bool
beats_parts(const double *a, const double *part_a, const double *b, const double *part_b, int n, double slack)
{
	for (int i = 0; i < n; i++)
		if (part_a[i] > part_b[i] * (1 + slack) || a[i] - part_a[i] > (b[i] - part_b[i]) * (1 + slack))
			return false;
	return true;
}

/*
 * Does the I-th dominate a new one, or (AFTER) that one the I-th? Then it is by no means slower: what the I-th was good
 * enough for, the new one is.
 */
static bool
dominates(const struct undominated *l, int i, const double *backward, const double *gradient, bool after)
{
	const double *old = l->backward + (size_t)i * (size_t)l->width, *part;

	if (gradient == NULL)
		return after ? beats(backward, old, l->width, 0) : beats(old, backward, l->width, DOMINATED);
	part = l->gradient + (old - l->backward);
	return after ? beats_parts(backward, gradient, old, part, l->width, 0) :
	    beats_parts(old, part, backward, gradient, l->width, DOMINATED);
}

static void
leave_out(struct undominated *l, int i)
{
	size_t w = (size_t)l->width, at = (size_t)i * w, behind = (size_t)(--l->n - i) * w;

	memmove(l->backward + at, l->backward + at + w, behind * sizeof *l->backward);
	if (l->gradient != NULL)
		memmove(l->gradient + at, l->gradient + at + w, behind * sizeof *l->gradient);
	memmove(l->mix + at, l->mix + at + w, behind * sizeof *l->mix);
}

static void
undominated_add(struct undominated *l, const double *backward, const double *gradient, const short *mix)
{
	size_t w = (size_t)l->width;

	for (int i = 0; i < l->n; i++)
		if (dominates(l, i, backward, gradient, false))
			return;
	for (int i = l->n; l->both_ways && i-- > 0; )
		if (dominates(l, i, backward, gradient, true))
			leave_out(l, i);
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 4;
		l->backward = xreallocarray(l->backward, (size_t)l->room, w * sizeof *backward);
		if (gradient != NULL)
			l->gradient = xreallocarray(l->gradient, (size_t)l->room, w * sizeof *gradient);
		l->mix = xreallocarray(l->mix, (size_t)l->room, w * sizeof *mix);
	}
	memcpy(l->backward + (size_t)l->n * w, backward, w * sizeof *backward);
	if (gradient != NULL)
		memcpy(l->gradient + (size_t)l->n * w, gradient, w * sizeof *gradient);
	memcpy(l->mix + (size_t)l->n * w, mix, w * sizeof *mix);
	l->n++;
}

double
settings_combinations(const struct problem *p, const int *content)
{
	double product = 1;

	for (int v = 0; v < p->chunks; v++) {
		const struct pareto_front *front = contents_front(&p->contents, content[v]);

		if (front->thinned)
			return INFINITY;
		if (v < p->chunks - 1 || p->weighs || p->holds)
			product *= front->n;
	}
	return product;
}

/*
 * Every combination of mixes of all chunks but the last, which takes the fastest mix that still fits, found by
 * bisection: activation falls along a front, backward time grows. Where parts of it matter, the last chunk takes every
 * mix that fits; where kinds differ in what waits for W, fronts are no lines, and each mix is tried. ROOM[rows]: MB for
 * activations.
 */
static void
list_all(const struct problem *p, int stage, const struct pareto_front *const chunk[], const double *room,
    struct undominated *list)
{
	const struct rows *r = &p->evaluator.rows[stage];
	int last = p->chunks - 1, v = 0;
	const struct pareto_front *end = chunk[last];
	double backward[CHUNKS_MAX], gradient[CHUNKS_MAX], left[r->n + 1];
	short mix[CHUNKS_MAX] = { 0 };

	list->both_ways = p->holds;
	while (v >= 0) {
		/* MB of activation that the last chunk may have for a micro-batch, if that alone matters */
		double most = INFINITY;
		int low = 0, high = end->n;

		for (v = 0; v < last; v++) {
			backward[v] = chunk[v]->mix[mix[v]].backward;
			gradient[v] = chunk[v]->mix[mix[v]].gradient;
		}
		for (int i = 0; i < r->n; i++) {
			const int *live = r->live + i * p->chunks, *held = r->held + i * p->chunks;

			left[i] = room[i];
			for (v = 0; v < last; v++)
				left[i] -= live[v] * chunk[v]->mix[mix[v]].activation +
				    (p->holds ? held[v] * chunk[v]->mix[mix[v]].kept : 0);
			if (!p->holds && live[last] > 0 && left[i] / live[last] < most)
				most = left[i] / live[last];
			else if (!p->holds && live[last] == 0 && left[i] < 0)
				most = -1;
		}
		while (low < high) {
			int middle = (low + high) / 2;

			if (end->mix[middle].activation <= most)
				high = middle;
			else
				low = middle + 1;
		}
		for (high = p->weighs || p->holds ? end->n : low + 1; low < end->n && low < high; low++) {
			const struct mix *m = &end->mix[low];
			bool fits = true;

			for (int i = 0; i < r->n && p->holds && fits; i++)
				fits = r->live[i * p->chunks + last] * m->activation +
				    r->held[i * p->chunks + last] * m->kept <= left[i];
			mix[last] = (short)low;
			backward[last] = m->backward;
			gradient[last] = m->gradient;
			if (fits)
				undominated_add(list, backward, p->weighs ? gradient : NULL, mix);
		}
		for (v = last - 1; v >= 0 && ++mix[v] == chunk[v]->n; v--)
			mix[v] = 0;
	}
}

static struct stage_settings
settings_new(const struct problem *p, int stage, const int *content, bool proof)
{
	const struct content *chunk[CHUNKS_MAX];
	const struct pareto_front *front[CHUNKS_MAX];
	struct undominated list = { .width = p->chunks };
	struct stage_settings settings = { .complete = true };
	double room, tries;

	for (int v = 0; v < p->chunks; v++)
		chunk[v] = &p->contents.content[content[v]];
	room = (proof ? proof_limit(p, stage) : p->limit[stage] + MEMORY_SLACK) - stage_fixed(p, stage, chunk);
	if (room < 0)
		return settings;
	tries = settings_combinations(p, content);
	settings.complete = tries <= p->list_limits.combinations;
	for (int v = 0; v < p->chunks; v++)
		front[v] = contents_front(&p->contents, content[v]);
	if (settings.complete) {
		double left[p->evaluator.rows[stage].n + 1];

		for (int i = 0; i < p->evaluator.rows[stage].n; i++)
			left[i] = room - row_beside(p, stage, i, chunk, p->chunks);
		list_all(p, stage, front, left, &list);
	}
	settings.tries = (long)fmin(tries, p->list_limits.combinations);
	settings.work = (double)settings.tries * (1 + list.n) * p->chunks;
	settings.n = list.n;
	settings.backward = list.backward;
	settings.gradient = list.gradient;
	settings.mix = list.mix;
	return settings;
}

struct settings_cache
settings_cache_new(const struct problem *p, bool proof)
{
	return (struct settings_cache){ .problem = p, .proof = proof };
}

void
settings_cache_free(struct settings_cache *m)
{
	for (int i = 0; i < m->n; i++) {
		free(m->entry[i].key);
		free(m->entry[i].settings->backward);
		free(m->entry[i].settings->gradient);
		free(m->entry[i].settings->mix);
		free(m->entry[i].settings);
	}
	free(m->entry);
	index_free(&m->index);
	*m = (struct settings_cache){ 0 };
}

static uint64_t
hash(int stage, const int *content, int chunks)
{
	uint64_t h = hash_begin((uint64_t)stage);

	for (int v = 0; v < chunks; v++)
		h = hash_add(h, (uint64_t)content[v]);
	return hash_end(h);
}

static const struct stage_settings *
find(const struct settings_cache *m, int stage, const int *content)
{
	size_t width = (size_t)m->problem->chunks * sizeof *content, tries = 0;
	uint64_t h = hash(stage, content, m->problem->chunks);

	for (int i; (i = index_next(&m->index, h, &tries)) >= 0;)
		if (m->entry[i].key[0] == stage && memcmp(m->entry[i].key + 1, content, width) == 0)
			return m->entry[i].settings;
	return NULL;
}

bool
settings_cache_has(const struct settings_cache *m, int stage, const int *content)
{
	return find(m, stage, content) != NULL;
}

const struct stage_settings *
settings_cache_get(struct settings_cache *m, int stage, const int *content)
{
	size_t chunks = (size_t)m->problem->chunks, width = chunks * sizeof *content;
	const struct stage_settings *known = find(m, stage, content);
	struct cache_entry e;

	if (known != NULL)
		return known;
	e.key = xcalloc(chunks + 1, sizeof *e.key);
	e.key[0] = stage;
	memcpy(e.key + 1, content, width);
	e.settings = xcalloc(1, sizeof *e.settings);
	*e.settings = settings_new(m->problem, stage, content, m->proof);
	m->tries += e.settings->tries + 1;
	m->work += e.settings->work;
	m->bytes += sizeof *e.settings + width + (size_t)e.settings->n * chunks *
	    ((m->problem->weighs ? 2 : 1) * sizeof *e.settings->backward + sizeof *e.settings->mix);
	index_add(&m->index, hash(stage, content, (int)chunks), m->n);
	*APPEND(m->entry, m->n) = e;
	return e.settings;
}
