/* Least memory: branch and bound over the mixes of a stage's chunks, and a table of what was found. */
#include "least_memory.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "stage_settings.h"

enum {
	NODES = 2000,		/* of branch and bound for one stage */
	BODIES_QUICK = 8,	/* contents' fronts of no more bodies are made quickly */
	ENTRIES = 1 << 19,	/* of the table, after which it is emptied */
	FIRST_ROOM = 1024,
};

struct least_entry {
	int *key;		/* [1 + chunks]: stage, contents; NULL: free */
	short *mix;		/* [chunks] */
	double mb, floor;
};

struct least_memory {
	pthread_mutex_t lock;
	struct least_entry *entry;	/* [room], by open addressing */
	size_t n, room;			/* room: a power of two */
};

struct least_memory *
least_memory_new(const struct problem *p)
{
	struct least_memory *l;

	if (!p->holds)
		return NULL;
	l = xcalloc(1, sizeof *l);
	l->room = FIRST_ROOM;
	l->entry = xcalloc(l->room, sizeof *l->entry);
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

static void
forget(struct least_memory *l)
{
	for (size_t i = 0; i < l->room; i++) {
		free(l->entry[i].key);
		free(l->entry[i].mix);
	}
	free(l->entry);
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

/* The entry of a key, or the free one where it belongs. */
static struct least_entry *
find(struct least_memory *l, const int *key, int chunks)
{
	uint64_t h = hash_begin((uint64_t)key[0]);
	size_t at;

	for (int v = 1; v <= chunks; v++)
		h = hash_add(h, (uint64_t)key[v]);
	for (at = (size_t)hash_end(h) & (l->room - 1); l->entry[at].key != NULL; at = (at + 1) & (l->room - 1))
		if (memcmp(l->entry[at].key, key, ((size_t)chunks + 1) * sizeof *key) == 0)
			break;
	return &l->entry[at];
}

static void
make_room(struct least_memory *l, int chunks)
{
	struct least_memory larger = { .room = 2 * l->room };

	if (2 * l->n < l->room)
		return;
	if (l->n >= ENTRIES) {
		forget(l);
		l->n = 0;
		l->entry = xcalloc(l->room, sizeof *l->entry);
		return;
	}
	larger.entry = xcalloc(larger.room, sizeof *larger.entry);
	for (size_t i = 0; i < l->room; i++)
		if (l->entry[i].key != NULL)
			*find(&larger, l->entry[i].key, chunks) = l->entry[i];
	free(l->entry);
	l->entry = larger.entry;
	l->room = larger.room;
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

struct light {			/* a mix that no other of its front beats in both activation and what is kept */
	double activation, kept;
	int mix;
};

struct descent {		/* branch and bound for the contents of a stage */
	const struct problem *p;
	const struct rows *rows;
	struct light *light[CHUNKS_MAX];
	int n[CHUNKS_MAX];
	double *least;		/* [chunks + 1][rows], MB of the chunks from one on, at least */
	double *sum;		/* [chunks + 1][rows], MB of the chunks before one, and of what no mix changes */
	double best;		/* MB, without parameters; INFINITY: nothing yet */
	int pick[CHUNKS_MAX], *mix;
	int nodes;
};

static double
light_memory(const struct descent *d, int row, int chunk, const struct light *x)
{
	int at = row * d->p->chunks + chunk;

	return d->rows->live[at] * x->activation + d->rows->held[at] * x->kept;
}

/* The mixes to choose from, the one with the least activation first. */
static void
list_light(struct descent *d, int chunk, const struct pareto_front *front)
{
	double kept = INFINITY;

	d->light[chunk] = xcalloc((size_t)front->n, sizeof **d->light);
	for (int i = front->n - 1; i >= 0; i--)
		if (front->mix[i].kept < kept) {
			kept = front->mix[i].kept;
			d->light[chunk][d->n[chunk]++] = (struct light){ front->mix[i].activation, kept, i };
		}
}

static void
set_least(struct descent *d)
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

/* The fullest row with the mixes before a chunk, at least. */
static double
fullest(const struct descent *d, int chunk)
{
	double most = 0;

	for (int r = 0; r < d->rows->n; r++)
		most = fmax(most, d->sum[chunk * d->rows->n + r] + d->least[chunk * d->rows->n + r]);
	return most;
}

static void
put(struct descent *d, int chunk, int number)
{
	const struct light *x = &d->light[chunk][number];

	for (int r = 0; r < d->rows->n; r++)
		d->sum[(chunk + 1) * d->rows->n + r] = d->sum[chunk * d->rows->n + r] + light_memory(d, r, chunk, x);
	d->pick[chunk] = x->mix;
}

static void
take(struct descent *d)
{
	double most = fullest(d, d->p->chunks);

	if (most >= d->best)
		return;
	d->best = most;
	memcpy(d->mix, d->pick, (size_t)d->p->chunks * sizeof *d->mix);
}

/* For each row the mixes that need least in it: one of those is mostly the best. */
static void
take_by_rows(struct descent *d)
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
descend(struct descent *d, int chunk)
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

/* What the mixes that thinned fronts leave out may need at least. */
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

/* Fill in an entry but for its key. */
static void
search(const struct problem *p, int stage, const int *content, struct least_entry *e)
{
	struct descent d = { .p = p, .rows = &p->evaluator.rows[stage], .best = INFINITY };
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
	for (int v = 0; v < p->chunks; v++) {
		e->mix[v] = (short)mix[v];
		free(d.light[v]);
	}
	e->mb = stage_peak(p, stage, content, mix);
	e->floor = !whole ? fmin(e->mb, relaxed(p, stage, content)) :
	    d.nodes < NODES ? e->mb : fmin(e->mb, stage_fixed(p, stage, chunk) + root);
}

/* A copy of the entry of a stage's contents, its mixes in MIX[chunks], if not NULL. */
static struct least_entry
look_up(const struct problem *p, int stage, const int *content, int *mix)
{
	int key[1 + CHUNKS_MAX] = { stage };
	struct least_entry *e, copy;

	memcpy(key + 1, content, (size_t)p->chunks * sizeof *key);
	pthread_mutex_lock(&p->least->lock);
	e = find(p->least, key, p->chunks);
	if (e->key == NULL) {
		make_room(p->least, p->chunks);
		e = find(p->least, key, p->chunks);
		e->mix = xcalloc((size_t)p->chunks, sizeof *e->mix);
		search(p, stage, content, e);
		e->key = xcalloc((size_t)p->chunks + 1, sizeof *key);
		memcpy(e->key, key, ((size_t)p->chunks + 1) * sizeof *key);
		p->least->n++;
	}
	copy = *e;
	for (int v = 0; v < p->chunks && mix != NULL; v++)
		mix[v] = e->mix[v];
	pthread_mutex_unlock(&p->least->lock);
	return copy;
}

/* Is a search worth its fronts? */
static bool
quick(const struct problem *p, const int *content)
{
	for (int v = 0; v < p->chunks; v++) {
		int bodies = 0;

		for (int b = 0; b < p->net->nbodies; b++)
			bodies += p->contents.content[content[v]].body[b] > 0;
		if (bodies > BODIES_QUICK)
			return false;
	}
	return true;
}

double
stage_least_memory(const struct problem *p, int stage, const int *content)
{
	return p->holds && quick(p, content) ? look_up(p, stage, content, NULL).mb :
	    stage_part_memory(p, stage, content, p->chunks);
}

double
stage_memory_floor(const struct problem *p, int stage, const int *content)
{
	return p->holds && quick(p, content) ? look_up(p, stage, content, NULL).floor :
	    stage_part_memory(p, stage, content, p->chunks);
}

double
stage_least_mixes(const struct problem *p, int stage, const int *content, int *mix)
{
	if (p->holds)
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
