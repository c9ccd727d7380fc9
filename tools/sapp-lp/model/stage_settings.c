#include "stage_settings.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"

struct cache_entry {
	int *key;		/* [1 + chunks]: stage, then contents */
	struct stage_settings *settings;	/* allocated separately, so that its address does not change */
};

/* Return the MB of a row with MIX[chunks]. BESIDE: MB that do not depend on the mixes. */
static double
row_memory(const struct problem *p, int stage, int row, const struct mix *const mix[], double beside)
{
	const int *live = p->evaluator.rows[stage].live + row * p->chunks;
	const int *held = p->evaluator.rows[stage].held + row * p->chunks;
	double sum = beside;

	for (int v = 0; v < p->chunks; v++)
		sum += live[v] * mix[v]->activation + held[v] * mix[v]->kept;
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
 * Return whether the setting with backwards A and their parts PART_A is at least as fast as another setting in every
 * part, up to SLACK.
 */
static bool
beats(const double *a, const double *part_a, const double *b, const double *part_b, int n, double slack)
{
	for (int i = 0; i < n; i++)
		if (part_a[i] > part_b[i] * (1 + slack) || a[i] - part_a[i] > (b[i] - part_b[i]) * (1 + slack))
			return false;
	return true;
}

/* A list of settings, of which none dominates another. */
struct undominated {
	struct stage_settings settings;
	int room, width;	/* width: number of chunks */
};

/*
 * Add a setting and drop the settings that it dominates. Usually it dominates none, because settings come in
 * lexicographic order of mixes. A later setting is slower in the first chunk that differs, or has less activation there
 * if parts of backwards matter. ANY: the setting can dominate any other, because kinds differ in memory for W.
 */
static void
undominated_add(struct undominated *l, bool any, const double *backward, const double *gradient, const short *mix)
{
	struct stage_settings *s = &l->settings;
	size_t w = (size_t)l->width, at = 0;
	int remaining = any ? 0 : s->n;

	for (int i = 0; i < s->n; i++)
		if (beats(s->backward + (size_t)i * w, s->gradient + (size_t)i * w, backward, gradient, l->width,
		    DOMINATED))
			return;
	for (int i = remaining; i < s->n; i++) {
		at = (size_t)i * w;
		if (beats(backward, gradient, s->backward + at, s->gradient + at, l->width, 0))
			continue;
		memmove(s->backward + (size_t)remaining * w, s->backward + at, w * sizeof *backward);
		memmove(s->gradient + (size_t)remaining * w, s->gradient + at, w * sizeof *gradient);
		memmove(s->mix + (size_t)remaining++ * w, s->mix + at, w * sizeof *mix);
	}
	s->n = remaining;
	if (s->n == l->room) {
		l->room = l->room ? 2 * l->room : 4;
		s->backward = xreallocarray(s->backward, (size_t)l->room, w * sizeof *backward);
		s->gradient = xreallocarray(s->gradient, (size_t)l->room, w * sizeof *gradient);
		s->mix = xreallocarray(s->mix, (size_t)l->room, w * sizeof *mix);
	}
	at = (size_t)s->n++ * w;
	memcpy(s->backward + at, backward, w * sizeof *backward);
	memcpy(s->gradient + at, gradient, w * sizeof *gradient);
	memcpy(s->mix + at, mix, w * sizeof *mix);
}

double
settings_combinations(const struct problem *p, const int *content)
{
	double product = 1;

	for (int v = 0; v < p->chunks; v++) {
		const struct pareto_front *front = contents_front(&p->contents, content[v]);

		if (front->thinned)
			return INFINITY;
		if (v < p->chunks - 1 || p->parts)
			product *= front->n;
	}
	return product;
}

/* Return whether a mix of the last chunk fits into LEFT[rows], the MB left by the other chunks. */
static bool
last_fits(const struct rows *r, int chunks, const struct mix *m, const double *left)
{
	bool fits = true;

	for (int i = 0; i < r->n && fits; i++)
		fits = r->live[(i + 1) * chunks - 1] * m->activation + r->held[(i + 1) * chunks - 1] * m->kept <=
		    left[i];
	return fits;
}

/*
 * List every combination of mixes of all chunks except the last. The last chunk takes every mix that fits; if only
 * whole backwards matter, it takes only the fastest. ROOM[rows]: MB for activations.
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

	while (v >= 0) {
		for (v = 0; v < last; v++) {
			backward[v] = chunk[v]->mix[mix[v]].backward;
			gradient[v] = chunk[v]->mix[mix[v]].gradient;
		}
		for (int i = 0; i < r->n; i++) {
			const int *live = r->live + i * p->chunks, *held = r->held + i * p->chunks;

			left[i] = room[i];
			for (v = 0; v < last; v++)
				left[i] -= live[v] * chunk[v]->mix[mix[v]].activation +
				    held[v] * chunk[v]->mix[mix[v]].kept;
		}
		for (int i = 0; i < end->n; i++) {
			if (!last_fits(r, p->chunks, &end->mix[i], left))
				continue;
			mix[last] = (short)i;
			backward[last] = end->mix[i].backward;
			gradient[last] = end->mix[i].gradient;
			undominated_add(list, p->parts, backward, gradient, mix);
			if (!p->parts)
				break;
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
	struct stage_settings *settings = &list.settings;
	double room, tries;

	for (int v = 0; v < p->chunks; v++)
		chunk[v] = &p->contents.content[content[v]];
	room = (proof ? proof_limit(p, stage) : p->limit[stage] + MEMORY_SLACK) - stage_fixed(p, stage, chunk);
	settings->complete = true;
	if (room < 0)
		return *settings;
	tries = settings_combinations(p, content);
	settings->complete = tries <= p->list_limits.combinations;
	if (settings->complete) {
		double left[p->evaluator.rows[stage].n + 1];

		for (int v = 0; v < p->chunks; v++)
			front[v] = contents_front(&p->contents, content[v]);
		for (int i = 0; i < p->evaluator.rows[stage].n; i++)
			left[i] = room - row_beside(p, stage, i, chunk, p->chunks);
		list_all(p, stage, front, left, &list);
	}
	settings->tries = (long)fmin(tries, p->list_limits.combinations);
	settings->work = (double)settings->tries * (1 + settings->n) * p->chunks;
	return *settings;
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
	    (2 * sizeof *e.settings->backward + sizeof *e.settings->mix);
	index_add(&m->index, hash(stage, content, (int)chunks), m->n);
	*APPEND(m->entry, m->n) = e;
	return e.settings;
}
