/* Least memory: branch and bound over the mixes of a stage's chunks, with a table of results. */
#include "least_memory.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/base/index.h"
#include "stage_settings.h"

enum {
	NODES = 2000,		/* maximum number of nodes of branch and bound for one stage */
	ENTRIES = 1 << 19,	/* maximum number of entries of the table, which is then emptied */
};

struct least_entry {
	int *key;		/* [1 + chunks]: stage, then contents */
	short *mix;		/* [chunks]; NULL: not searched yet */
	double mb, floor;
};

struct least_memory {
	pthread_mutex_t lock;
	int n;
	struct least_entry *entry;	/* [n] */
	struct index index;		/* of entries */
};

struct least_memory *
least_memory_new(const struct problem *p)
{
	struct least_memory *l;

	if (!p->on->keeps_kinds)
		return NULL;
	l = xcalloc(1, sizeof *l);
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

static void
forget(struct least_memory *l)
{
	for (int i = 0; i < l->n; i++) {
		free(l->entry[i].key);
		free(l->entry[i].mix);
	}
	free(l->entry);
	l->entry = NULL;
	l->n = 0;
	index_free(&l->index);
}

void
least_memory_free(struct least_memory *l)
{
	if (l == NULL)
		return;
	forget(l);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static uint64_t
hash(const int *key, int chunks)
{
	uint64_t h = hash_begin((uint64_t)key[0]);

	for (int v = 1; v <= chunks; v++)
		h = hash_add(h, (uint64_t)key[v]);
	return hash_end(h);
}

static struct least_entry *
find(const struct least_memory *l, const int *key, int chunks)
{
	uint64_t h = hash(key, chunks);
	size_t tries = 0;

	for (int i; (i = index_next(&l->index, h, &tries)) >= 0;)
		if (memcmp(l->entry[i].key, key, ((size_t)chunks + 1) * sizeof *key) == 0)
			return &l->entry[i];
	return NULL;
}

/* Add an entry for the key. The caller sets its other members. */
static struct least_entry *
add(struct least_memory *l, const int *key, int chunks)
{
	struct least_entry e = { .key = xcalloc((size_t)chunks + 1, sizeof *key) };

	memcpy(e.key, key, ((size_t)chunks + 1) * sizeof *key);
	if (l->n >= ENTRIES)
		forget(l);
	index_add(&l->index, hash(key, chunks), l->n);
	*APPEND(l->entry, l->n) = e;
	return &l->entry[l->n - 1];
}

double
stage_part_memory(const struct problem *p, int stage, const int *content, int chunks)
{
	const struct rows *r = &p->evaluator.rows[stage];
	const struct content *chunk[CHUNKS_MAX];
	double most = 0, fixed = stage_ends(p, stage);

	for (int v = 0; v < chunks; v++) {
		chunk[v] = &p->contents.content[content[v]];
		fixed += chunk[v]->parameter;
	}
	for (int i = 0; i < r->n; i++) {
		double sum = row_beside(p, stage, i, chunk, chunks);

		for (int v = 0; v < chunks; v++)
			sum += r->live[i * p->chunks + v] * chunk[v]->activation;
		if (sum > most)
			most = sum;
	}
	return fixed + most;
}

struct least_light {			/* a mix that no other dominates in activation and kept memory */
	double activation, kept;
	int mix;
};

struct least_descent {		/* branch and bound for the contents of one stage */
	const struct problem *p;
	const struct rows *rows;
	struct least_light *light[CHUNKS_MAX];
	int n[CHUNKS_MAX];
	double *least;		/* [chunks + 1][rows], minimum MB of chunk n and all later chunks */
	/* [chunks + 1][rows], MB of the chunks before chunk n, plus memory that no mix changes */
	double *sum;
	double best;		/* MB, without parameters; INFINITY: no setting found yet */
	int pick[CHUNKS_MAX], *mix;
	int nodes;
};

static double
light_memory(const struct least_descent *d, int row, int chunk, const struct least_light *x)
{
	int at = row * d->p->chunks + chunk;

	return d->rows->live[at] * x->activation + d->rows->held[at] * x->kept;
}

/* List the mixes of a chunk to choose from, starting with the mix of least activation. */
static void
list_light(struct least_descent *d, int chunk, const struct pareto_front *front)
{
	double kept = INFINITY;

	d->light[chunk] = xcalloc((size_t)front->n, sizeof **d->light);
	for (int i = front->n - 1; i >= 0; i--)
		if (front->mix[i].kept < kept) {
			kept = front->mix[i].kept;
			d->light[chunk][d->n[chunk]++] = (struct least_light){ front->mix[i].activation, kept, i };
		}
}

static void
set_least(struct least_descent *d)
{
	int rows = d->rows->n;

	for (int v = d->p->chunks - 1; v >= 0; v--)
		for (int r = 0; r < rows; r++) {
			double least = INFINITY;

			for (int i = 0; i < d->n[v]; i++)
				least = fmin(least, light_memory(d, r, v, &d->light[v][i]));
			d->least[v * rows + r] = least + d->least[(v + 1) * rows + r];
		}
}

/* Return the minimum MB of the fullest row, given the mixes of the chunks before CHUNK. */
static double
fullest(const struct least_descent *d, int chunk)
{
	double most = 0;

	for (int r = 0; r < d->rows->n; r++)
		most = fmax(most, d->sum[chunk * d->rows->n + r] + d->least[chunk * d->rows->n + r]);
	return most;
}

static void
put(struct least_descent *d, int chunk, int number)
{
	const struct least_light *x = &d->light[chunk][number];

	for (int r = 0; r < d->rows->n; r++)
		d->sum[(chunk + 1) * d->rows->n + r] = d->sum[chunk * d->rows->n + r] + light_memory(d, r, chunk, x);
	d->pick[chunk] = x->mix;
}

static void
take(struct least_descent *d)
{
	double most = fullest(d, d->p->chunks);

	if (most >= d->best)
		return;
	d->best = most;
	memcpy(d->mix, d->pick, (size_t)d->p->chunks * sizeof *d->mix);
}

/*
 * Try a setting for each row: the mixes that need the least memory in this row. One of these settings is usually the
 * best.
 */
static void
take_by_rows(struct least_descent *d)
{
	for (int r = 0; r < d->rows->n; r++) {
		for (int v = 0; v < d->p->chunks; v++) {
			int at = 0;

			for (int i = 1; i < d->n[v]; i++)
				if (light_memory(d, r, v, &d->light[v][i]) < light_memory(d, r, v, &d->light[v][at]))
					at = i;
			put(d, v, at);
		}
		take(d);
	}
}

static void
descend(struct least_descent *d, int chunk)
{
	if (chunk == d->p->chunks) {
		take(d);
		return;
	}
	for (int i = 0; i < d->n[chunk] && d->nodes < NODES; i++) {
		d->nodes++;
		put(d, chunk, i);
		if (fullest(d, chunk + 1) < d->best)
			descend(d, chunk + 1);
	}
}

/*
 * Return a lower bound on the peak: the minimum memory of each moment, computed separately. It is valid for all mixes,
 * including mixes dropped from thinned fronts.
 */
static double
relaxed(const struct problem *p, int stage, const int *content)
{
	const struct rows *rows = &p->evaluator.rows[stage];
	const struct content *chunk[CHUNKS_MAX];
	double most = 0;

	for (int v = 0; v < p->chunks; v++)
		chunk[v] = &p->contents.content[content[v]];
	for (int r = 0; r < rows->n; r++) {
		double sum = row_beside(p, stage, r, chunk, p->chunks);

		for (int v = 0; v < p->chunks; v++)
			sum += contents_least(&p->contents, content[v], (struct rates){
			    .mb = rows->live[r * p->chunks + v], .kept = rows->held[r * p->chunks + v] });
		most = fmax(most, sum);
	}
	return stage_fixed(p, stage, chunk) + most;
}

/* Search for the mixes of an entry and set all members except its key. */
static void
search(const struct problem *p, int stage, const int *content, struct least_entry *e)
{
	size_t width = (size_t)p->chunks * sizeof *e->mix;
	struct least_descent d = { .p = p, .rows = &p->evaluator.rows[stage], .best = INFINITY };
	const struct content *chunk[CHUNKS_MAX];
	double least[(p->chunks + 1) * d.rows->n + 1], sum[(p->chunks + 1) * d.rows->n + 1], root;
	int mix[CHUNKS_MAX] = { 0 };
	bool whole = true;

	d.least = least;
	d.sum = sum;
	d.mix = mix;
	for (int v = 0; v < p->chunks; v++) {
		const struct pareto_front *front = contents_front(&p->contents, content[v]);

		chunk[v] = &p->contents.content[content[v]];
		whole &= !front->thinned;
		list_light(&d, v, front);
	}
	for (int r = 0; r < d.rows->n; r++) {
		least[p->chunks * d.rows->n + r] = 0;
		sum[r] = row_beside(p, stage, r, chunk, p->chunks);
	}
	set_least(&d);
	root = fullest(&d, 0);
	take_by_rows(&d);
	if (root < d.best)
		descend(&d, 0);
	e->mix = xcalloc(1, width);
	for (int v = 0; v < p->chunks; v++) {
		e->mix[v] = (short)mix[v];
		free(d.light[v]);
	}
	e->mb = stage_peak(p, stage, content, mix);
	e->floor = !whole ? fmin(e->mb, relaxed(p, stage, content)) :
	    d.nodes < NODES ? e->mb : fmin(e->mb, stage_fixed(p, stage, chunk) + root);
}

/*
 * Return the maximum number of mixes of a content. For a body, N layers of K kinds have (N + K - 1 choose K - 1) mixes.
 */
static double
mixes_of(const struct problem *p, const struct content *c)
{
	double product = 1;

	for (int b = 0; b < p->net->nbodies; b++)
		for (int k = 0, chosen = 0; k < RECOMPUTE_KINDS && c->body[b] > 0; k++)
			if (p->net->body[b].has[k] && chosen++ > 0)
				product *= (double)(c->body[b] + chosen - 1) / (chosen - 1);
	return product;
}

/* Return whether a search is worth the time for its fronts. */
static bool
quick(const struct problem *p, const int *content)
{
	for (int v = 0; v < p->chunks; v++)
		if (mixes_of(p, &p->contents.content[content[v]]) > p->list_limits.mixes)
			return false;
	return true;
}

/* Return the entry for the contents. Get its mixes in MIX[chunks] (may be NULL). */
static struct least_entry
look_up(const struct problem *p, int stage, const int *content, int *mix)
{
	int key[1 + CHUNKS_MAX] = { stage };
	struct least_entry *e, copy;

	memcpy(key + 1, content, (size_t)p->chunks * sizeof *key);
	pthread_mutex_lock(&p->least->lock);
	e = find(p->least, key, p->chunks);
	if (e == NULL) {
		e = add(p->least, key, p->chunks);
		if (mix == NULL && !quick(p, content))
			e->mb = e->floor = relaxed(p, stage, content);
		else
			search(p, stage, content, e);
	} else if (mix != NULL && e->mix == NULL) {
		search(p, stage, content, e);
	}
	copy = *e;
	for (int v = 0; v < p->chunks && mix != NULL; v++)
		mix[v] = e->mix[v];
	pthread_mutex_unlock(&p->least->lock);
	return copy;
}

double
stage_least_memory(const struct problem *p, int stage, const int *content)
{
	return p->least != NULL ? look_up(p, stage, content, NULL).mb :
	    stage_part_memory(p, stage, content, p->chunks);
}

double
stage_memory_floor(const struct problem *p, int stage, const int *content)
{
	return p->least != NULL ? look_up(p, stage, content, NULL).floor :
	    stage_part_memory(p, stage, content, p->chunks);
}

double
stage_least_mixes(const struct problem *p, int stage, const int *content, int *mix)
{
	if (p->least != NULL)
		return look_up(p, stage, content, mix).mb;
	for (int v = 0; v < p->chunks; v++)
		mix[v] = contents_front(&p->contents, content[v])->n - 1;
	return stage_least_memory(p, stage, content);
}

double
stage_excess(const struct problem *p, int stage, const int *content)
{
	return stage_least_memory(p, stage, content) - p->limit[stage];
}

double
stage_excess_floor(const struct problem *p, int stage, const int *content)
{
	return stage_memory_floor(p, stage, content) - p->limit[stage];
}
