#include "path_cuts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/hash.h"
#include "lib/base/random.h"
#include "lib/model/weights.h"
#include "sapp-lp/model/critical_paths.h"

static const double SLOWER = 2;		/* factor of a stage's times, to find its path */

struct visits
visits_new(const struct problem *p)
{
	return (struct visits){ .at = xcalloc((size_t)p->evaluator.slots, sizeof(double)) };
}

void
visits_copy(const struct problem *p, struct visits *to, const struct visits *from)
{
	memcpy(to->at, from->at, (size_t)p->evaluator.slots * sizeof *to->at);
	to->delay = from->delay;
}

/*
 * Return a hash of a path. Equal paths have equal hashes, so comparing hashes first makes the search among thousands of
 * paths fast.
 */
static uint64_t
hash(const struct problem *p, const struct visits *v)
{
	uint64_t h = hash_begin((uint64_t)v->delay);

	/* The visits of a path are whole numbers. */
	for (int i = 0; i < p->evaluator.slots; i++)
		h = hash_add(h, (uint64_t)v->at[i]);
	return hash_end(h);
}

static void
path_add(const struct problem *p, struct path_cuts *paths, const struct visits *v, uint64_t key)
{
	struct visits copy = visits_new(p);
	int n = paths->n;

	visits_copy(p, &copy, v);
	*APPEND(paths->key, n) = key;
	*APPEND(paths->at, paths->n) = copy;
}

int
path_cuts_add(const struct problem *p, struct path_cuts *paths, const struct visits *v)
{
	uint64_t key = hash(p, v);
	size_t size = (size_t)p->evaluator.slots * sizeof *v->at, tries = 0;

	for (int i = (int)paths->index.n; i < paths->n; i++)
		index_add(&paths->index, paths->key[i], i);
	for (int i; (i = index_next(&paths->index, key, &tries)) >= 0;)
		if (paths->at[i].delay == v->delay && memcmp(paths->at[i].at, v->at, size) == 0)
			return i;
	index_add(&paths->index, key, paths->n);
	path_add(p, paths, v, key);
	return paths->n - 1;
}

void
path_cuts_keep(struct path_cuts *paths, int *number)
{
	int kept = 0;

	for (int i = 0; i < paths->n; i++) {
		if (number[i] == 0) {
			free(paths->at[i].at);
			continue;
		}
		paths->at[kept] = paths->at[i];
		paths->key[kept] = paths->key[i];
		number[i] = kept++;
	}
	paths->n = kept;
	index_free(&paths->index);
}

struct path_cuts
path_cuts_copy(const struct problem *p, const struct path_cuts *from)
{
	struct path_cuts to = { 0 };

	for (int i = 0; i < from->n; i++)
		path_add(p, &to, &from->at[i], from->key[i]);
	return to;
}

void
path_cuts_free(struct path_cuts *paths)
{
	for (int i = 0; i < paths->n; i++)
		free(paths->at[i].at);
	free(paths->at);
	free(paths->key);
	index_free(&paths->index);
	*paths = (struct path_cuts){ 0 };
}

struct path_finder
path_finder_new(const struct problem *p)
{
	return (struct path_finder){
		.p = p,
		.cost = xcalloc((size_t)p->evaluator.slots, sizeof(double)),
		.end = xcalloc((size_t)p->evaluator.noperations + 1, sizeof(double)),
		.clock = xcalloc((size_t)p->evaluator.clocks, sizeof(double)),
		.path = visits_new(p),
		.random = 1,
	};
}

void
path_finder_free(struct path_finder *f)
{
	free(f->cost);
	if (f->lanes != NULL)
		critical_paths_free(f->lanes);
	free(f->lanes);
	free(f->end);
	free(f->clock);
	free(f->path.at);
}

double
path_finder_longest(struct path_finder *f)
{
	return evaluator_path(&f->p->evaluator, f->cost, f->end, f->clock, &f->path);
}

double
candidate_step_time(const struct problem *p, const struct candidate *c)
{
	struct path_finder f = path_finder_new(p);
	double time;

	candidate_costs(p, c, f.cost);
	time = path_finder_longest(&f);
	path_finder_free(&f);
	return time;
}

struct lanes *
path_finder_costs(struct path_finder *f)
{
	if (f->lanes == NULL) {
		f->lanes = xcalloc(1, sizeof *f->lanes);
		*f->lanes = critical_paths_new(&f->p->evaluator);
	}
	return f->lanes->cost;
}

const struct visits *
path_finder_around(struct path_finder *f, double part, int n, double *length)
{
	const struct evaluator *o = &f->p->evaluator;
	struct lanes *cost = path_finder_costs(f), longest;

	for (int s = 0; s < o->stages; s++)
		for (int l = 0; l < n; l++) {
			double factor = l == 0 ? 1 : 1 + part * congruential_unit(&f->random);

			for (int i = s; i < o->slots; i += o->stages)
				cost[i].at[l] = f->cost[i] * factor;
		}
	longest = critical_paths_find(f->lanes, n);
	for (int l = 0; l < LANES; l++)
		length[l] = l < n ? visits_length(o, &f->lanes->path[l], f->cost) : longest.at[l];
	return f->lanes->path;
}

static void
spread_evenly(const struct problem *p, double *cost)
{
	for (int i = 0; i < p->pieces; i++) {
		struct times t = end_times(p, i);

		for (int b = 0; b < p->net->nbodies; b++) {
			const struct body *body = &p->net->body[b];
			double share = (double)body->layers / p->pieces;

			t.forward += share * body->forward;
			t.backward += share * body->backward[RECOMPUTE_NONE];
			t.gradient += share * body_kind_weight(body, RECOMPUTE_NONE);
		}
		piece_costs(p, i, t, cost);
	}
}

void
path_finder_slowed(struct path_finder *f, struct path_cuts *paths, double deadline)
{
	const struct evaluator *o = &f->p->evaluator;
	struct lanes *cost = path_finder_costs(f);

	for (int s = 0; s < o->stages && (s == 0 || clock_left(deadline)); s += LANES) {
		int n = o->stages - s < LANES ? o->stages - s : LANES;

		for (int i = 0; i < o->slots; i++)
			for (int l = 0; l < LANES; l++)
				cost[i].at[l] = f->cost[i] *
				    (i % o->stages == s + l && i < o->slots - 1 ? SLOWER : 1);
		critical_paths_find(f->lanes, n);
		for (int l = 0; l < n; l++)
			path_cuts_add(f->p, paths, &f->lanes->path[l]);
	}
}

void
path_finder_first(struct path_finder *f, struct path_cuts *paths, double deadline)
{
	spread_evenly(f->p, f->cost);
	path_finder_slowed(f, paths, deadline);
}
