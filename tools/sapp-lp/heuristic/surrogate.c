/* Surrogate: the path model evaluates many changes, and only few plans are simulated. */
#include "surrogate.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/random.h"
#include "path_model.h"

enum {
	MODEL_OPERATIONS = 12000,	/* minimum number of operations in a step for which the surrogate pays */
	/* Costs in simulated operations, over all lanes. */
	MODEL_WORK = 3000,	/* of one evaluation by the path model */
	PATH_WORK = 6,		/* of a critical path, per operation of the step */
	PATHS_A_ROUND = 2,	/* number of critical paths added to the model */
};
static const double RIGHT = 1e-9;	/* relative error up to which the model counts as exact */

struct surrogate {
	struct ensemble *e;
	struct path_model *model;
	struct path_finder finder;
	struct visits found[PATHS_A_ROUND];
	struct times *times[LANES];	/* [pieces], of each replica */
	struct replica saved[LANES];	/* replicas at their last simulation */
	struct times *saved_times[LANES];	/* times of the saved replicas */
	int *piece;			/* [pieces], pieces affected by a change */
	struct times *change;		/* [pieces], change of each piece's times */
};

bool
surrogate_pays(const struct problem *p)
{
	return p->evaluator.noperations >= MODEL_OPERATIONS;
}

struct surrogate *
surrogate_new(struct ensemble *e)
{
	struct surrogate *s = xcalloc(1, sizeof *s);
	const struct problem *p = e->p;

	s->e = e;
	s->model = path_model_new(p);
	s->finder = path_finder_new(p);
	for (int l = 0; l < LANES; l++) {
		s->times[l] = xcalloc((size_t)p->pieces, sizeof **s->times);
		s->saved_times[l] = xcalloc((size_t)p->pieces, sizeof **s->times);
		s->saved[l] = replica_new(p);
	}
	for (int i = 0; i < PATHS_A_ROUND; i++)
		s->found[i] = visits_new(p);
	s->piece = xcalloc((size_t)p->pieces, sizeof *s->piece);
	s->change = xcalloc((size_t)p->pieces, sizeof *s->change);
	return s;
}

void
surrogate_free(struct surrogate *s)
{
	path_model_free(s->model);
	path_finder_free(&s->finder);
	for (int l = 0; l < LANES; l++) {
		free(s->times[l]);
		free(s->saved_times[l]);
		replica_free(&s->saved[l]);
	}
	for (int i = 0; i < PATHS_A_ROUND; i++)
		free(s->found[i].at);
	free(s->piece);
	free(s->change);
	free(s);
}

void
surrogate_load(struct surrogate *s, int lane)
{
	for (int i = 0; i < s->e->p->pieces; i++)
		s->times[lane][i] = ensemble_times(s->e, lane, i);
	path_model_set(s->model, lane, s->times[lane]);
}

void
surrogate_add(struct surrogate *s, const struct visits *path)
{
	path_model_add(s->model, path, s->times);
}

/*
 * List the pieces whose times a replica's change affects in s->piece, and the changes of their times in s->change.
 * Return the number of pieces.
 */
static int
list_changes(struct surrogate *s, int lane)
{
	const struct replica *r = &s->e->replica[lane];
	int n = 0;

	for (int k = 0; k < r->n; k++)
		for (int i = r->stage[k]; i < s->e->p->pieces; i += s->e->p->stages) {
			struct times *old = &s->times[lane][i], new;

			if (r->now.content[i] == r->old.content[i] && r->now.mix[i] == r->old.mix[i])
				continue;
			new = ensemble_times(s->e, lane, i);
			s->piece[n] = i;
			s->change[n++] = (struct times){ new.forward - old->forward, new.backward - old->backward,
				new.gradient - old->gradient };
		}
	return n;
}

struct busy {			/* argument of busy_rank() */
	struct surrogate *s;
	int lane;
};

static double
busy_rank(void *with, int piece)
{
	struct busy *b = with;

	return path_model_visits(b->s->model, b->lane, piece);
}

/* Change one replica, if the path model accepts the change. */
static void
change_modelled(struct surrogate *s, int lane)
{
	struct replica *r = &s->e->replica[lane];
	struct busy busy = { s, lane };
	bool ranked = xorshift_below(&s->e->proposer.random, 2);
	double before = path_model_longest(s->model, lane) + path_model_crowd(s->model, lane), after;
	int n;

	s->e->proposer.work += MODEL_WORK;
	s->e->evaluations++;
	if (!replica_change(r, &s->e->proposer, ranked ? busy_rank : NULL, &busy)) {
		replica_take_back(r);
		return;
	}
	n = list_changes(s, lane);
	after = path_model_try(s->model, lane, n, s->piece, s->change);
	if (!ensemble_accepts(s->e, lane, after - before)) {
		replica_take_back(r);
		return;
	}
	path_model_take(s->model, lane);
	for (int i = 0; i < n; i++) {
		s->times[lane][s->piece[i]] = ensemble_times(s->e, lane, s->piece[i]);
		ensemble_set_cost(s->e, lane, s->piece[i], s->times[lane][s->piece[i]]);
	}
}

/*
 * Return the replica with the largest ratio of step to model, among the replicas not NAMED; -1: the model is exact for
 * all.
 */
static int
most_wrong(const struct surrogate *s, const struct lanes *step, const bool *named)
{
	double most = RIGHT;
	int at = -1;

	for (int l = 0; l < LANES; l++) {
		double wrong = step->at[l] / path_model_longest(s->model, l) - 1;

		if (!named[l] && wrong > most) {
			most = wrong;
			at = l;
		}
	}
	return at;
}

/* Get the critical paths of the plans with the largest error of the model in s->found. Return their number. */
static int
find_paths(struct surrogate *s, const struct lanes *step)
{
	bool named[LANES] = { false };
	int n = 0, l;

	for (; n < PATHS_A_ROUND && (l = most_wrong(s, step, named)) >= 0; n++) {
		named[l] = true;
		for (int i = 0; i < s->e->p->pieces; i++)
			piece_costs(s->e->p, i, s->times[l][i], s->finder.cost);
		path_finder_longest(&s->finder);
		visits_copy(s->e->p, &s->found[n], &s->finder.path);
	}
	s->e->proposer.work += (double)n * PATH_WORK * s->e->p->evaluator.noperations;
	return n;
}

static void
bring_back(struct surrogate *s, int lane)
{
	replica_copy(&s->e->replica[lane], &s->saved[lane]);
	path_model_bring_back(s->model, lane);
	for (int i = 0; i < s->e->p->pieces; i++)
		if (memcmp(&s->times[lane][i], &s->saved_times[lane][i], sizeof **s->times) != 0) {
			s->times[lane][i] = s->saved_times[lane][i];
			ensemble_set_cost(s->e, lane, i, s->times[lane][i]);
		}
}

void
surrogate_round(struct surrogate *s)
{
	int many = 1 + (int)(s->e->p->evaluator.noperations / MODEL_WORK), found;
	double before[LANES];
	struct lanes t;

	for (int l = 0; l < LANES; l++) {
		replica_copy(&s->saved[l], &s->e->replica[l]);
		memcpy(s->saved_times[l], s->times[l], (size_t)s->e->p->pieces * sizeof **s->times);
		before[l] = path_model_longest(s->model, l);
		path_model_keep(s->model, l);
		for (int i = 0; i < many; i++)
			change_modelled(s, l);
	}
	t = ensemble_simulate(s->e);
	found = find_paths(s, &t);
	for (int l = 0; l < LANES; l++) {
		double modelled = path_model_longest(s->model, l) - before[l];

		ensemble_offer(s->e, l, t.at[l]);
		if (ensemble_accepts(s->e, l, t.at[l] - s->e->time[l] - modelled))
			s->e->time[l] = t.at[l];
		else
			bring_back(s, l);
	}
	for (int i = 0; i < found; i++)
		surrogate_add(s, &s->found[i]);
}

void
surrogate_renew(struct surrogate *s)
{
	for (int l = 0; l < LANES; l++)
		path_model_set(s->model, l, s->times[l]);
}
