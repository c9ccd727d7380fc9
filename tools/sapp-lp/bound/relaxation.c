/* Relaxation: rounds of the linear programme and its longest paths, and the bound that its multipliers prove. */
#include "relaxation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lp_model.h"

enum {
	PATHS_A_ROUND = 6,	/* the critical path, and other paths under slightly changed costs */
};
/* maximum slowdown of stages to find the other paths: see path_finder_around() */
static const double SLOWER = 0.08;
/* a path is added if its violation is at least this fraction of the critical path's violation */
static const double NEAR = 0.25;
static const double SHORTAGE = 1e4;	/* penalty for an unplaced layer, in units of the programme's time */

static void
add_path(const struct problem *p, struct visits *weight, const struct visits *path, double part)
{
	for (int k = 0; k < p->evaluator.slots && part > 0; k++)
		weight->at[k] += part * path->at[k];
	weight->delay += part * path->delay;
}

static void
add(double *sum, double *magnitude, double term)
{
	*sum += term;
	*magnitude += fabs(term);
}

/*
 * Set a lower bound on every plan from the multipliers of the solution, by weak duality. With any multipliers of the
 * right sign, the Lagrangian's minimum over counts from 0 to contents.most is below every plan, whatever the solver's
 * tolerances. The bound is 0 if no path has a positive multiplier.
 */
static void
prove(const struct lp_model *l, struct relaxed *out)
{
	const struct problem *p = l->p;
	struct visits *weight = &out->weight;
	double *dual, *price = out->price, bound, magnitude, largest = 0, sum = 0;
	int at;

	out->bound = 0;
	dual = xcalloc((size_t)lp_rows(l->lp) + (size_t)lp_columns(l->lp) + 1, sizeof *dual);
	if (lp_duals(l->lp, dual))
		for (int i = 0; i < l->paths.n; i++)
			sum += fmax(dual[l->rows + 1 + i], 0);
	if (!(sum > 0)) {
		free(dual);
		return;
	}
	memset(weight->at, 0, (size_t)p->evaluator.slots * sizeof *weight->at);
	weight->delay = 0;
	for (int i = 0; i < l->paths.n; i++)
		add_path(p, weight, &l->paths.at[i], fmax(dual[l->rows + 1 + i], 0) / sum);
	/*
	 * Scale the multipliers of paths to a sum of 1, and the other multipliers by the same factor, from the
	 * programme's units to ms.
	 */
	magnitude = bound = path_constant(p, weight);
	for (int b = 0; b < p->net->nbodies; b++)
		add(&bound, &magnitude, dual[1 + b] / sum * l->ms * p->net->body[b].layers);
	for (int i = 0; i < p->pieces; i++)
		add(&bound, &magnitude, p->fewest[i] * fmax(dual[1 + p->net->nbodies + i], 0) / sum * l->ms);
	at = 1 + p->net->nbodies + p->pieces;
	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i < p->evaluator.rows[s].n; i++, at++) {
			*price = fmax(-dual[at], 0) / sum * l->ms / l->mb;
			add(&bound, &magnitude, -*price++ * memory_room(p, s, i));
		}
	for (int c = 0; c < l->columns; c++) {
		double reduced, size;

		reduced = path_coefficient(l, weight, c);
		size = fabs(reduced);
		add(&reduced, &size, -dual[1 + l->column[c].body] / sum * l->ms);
		add(&reduced, &size, -fmax(dual[1 + p->net->nbodies + l->column[c].piece], 0) / sum * l->ms);
		at = 1 + p->net->nbodies + p->pieces;
		for (int s = 0; s < p->stages; s++)
			for (int i = 0; i < p->evaluator.rows[s].n; i++, at++)
				add(&reduced, &size, fmax(-dual[at], 0) / sum * l->ms / l->mb *
				    memory_coefficient(l, s, i, c));
		largest = fmax(largest, size);
		if (reduced < 0)
			add(&bound, &magnitude, reduced * p->contents.most);
	}
	free(dual);
	/* The error of reduced costs counts once per layer, because columns sum to the number of layers. */
	magnitude += largest * p->net->layers;
	out->bound = proved_bound(p, bound, magnitude, lp_rows(l->lp) + l->columns + l->paths.n);
}

/*
 * Add columns for unplaced layers at a penalty, so that a solution always exists. If nothing fits, the multipliers then
 * prove a bound above any plan.
 */
static void
add_shortages(struct lp_model *l)
{
	const struct problem *p = l->p;
	struct lp *lp = l->lp;
	double *one = xcalloc((size_t)p->pieces, sizeof *one);
	int *row = xcalloc((size_t)p->pieces, sizeof *row);

	for (int i = 0; i < p->pieces; i++) {
		one[i] = 1;
		row[i] = p->net->nbodies + 1 + i;
	}
	lp_add_column(lp, p->pieces, one, row);
	lp_set_cost(lp, lp_columns(lp), SHORTAGE);
	for (int b = 1; b <= p->net->nbodies; b++) {
		lp_add_column(lp, 1, one, &b);
		lp_set_cost(lp, lp_columns(lp), SHORTAGE);
	}
	free(one);
	free(row);
}

/* Get the costs of the fractional solution in COST[slots], ms. */
static void
read_solution(const struct lp_model *l, double *cost)
{
	const struct problem *p = l->p;
	struct times *t = xcalloc((size_t)p->pieces, sizeof *t);
	const double *x = lp_solution(l->lp);

	for (int i = 0; i < p->pieces; i++)
		t[i] = end_times(p, i);
	for (int c = 0; c < l->columns; c++) {
		struct times each = column_times(l, c);
		int piece = l->column[c].piece;

		t[piece].forward += x[c + 1] * each.forward;
		t[piece].backward += x[c + 1] * each.backward;
		t[piece].gradient += x[c + 1] * each.gradient;
	}
	for (int i = 0; i < p->pieces; i++)
		piece_costs(p, i, t[i], cost);
	free(t);
}

/* Add paths that are longer than Z, ms, under the costs of the last solution. Return false if no new path is found. */
static bool
add_longer(struct lp_model *l, struct path_finder *f, double z)
{
	const struct visits *path;
	double length[LANES];
	int before = l->paths.n;

	read_solution(l, f->cost);
	path = path_finder_around(f, SLOWER, PATHS_A_ROUND, length);
	for (int i = 0; i < PATHS_A_ROUND && length[0] > z * (1 + 1e-7); i++)
		if (i == 0 || length[i] - z > NEAR * (length[0] - z))
			lp_model_add(l, &path[i]);
	return l->paths.n > before;
}

struct relaxed
relaxation_solve(const struct problem *p, int rounds, double deadline)
{
	struct relaxed out = { .weight = visits_new(p) }, trial = { .weight = visits_new(p) }, before;
	struct path_finder finder = path_finder_new(p);
	struct path_cuts first = { 0 };
	double now = clock_now();
	struct lp_model l;
	int rows = 0;
	bool more = true;

	for (int s = 0; s < p->stages; s++)
		rows += p->evaluator.rows[s].n;
	out.price = xcalloc((size_t)rows, sizeof *out.price);
	trial.price = xcalloc((size_t)rows, sizeof *trial.price);
	/* Finding paths takes at most half of the time, to leave the other half for the programme. */
	path_finder_first(&finder, &first, now + (deadline - now) / 2);
	lp_model_open(&l, p, true);
	lp_set_deadline(l.lp, &deadline);
	for (int i = 0; i < first.n; i++) {
		lp_model_add(&l, &first.at[i]);
		add_path(p, &out.weight, &first.at[i], 1.0 / first.n);
	}
	if (p->net->nbodies > 1)
		add_shortages(&l);
	for (int round = 0; more && round < rounds && (round == 0 || clock_left(deadline)) &&
	    lp_solve(l.lp) != LP_NO_SOLUTION; round++) {
		prove(&l, &trial);
		/*
		 * If the deadline ends the solver within a round, its multipliers may prove less than the previous
		 * multipliers.
		 */
		if (trial.bound > out.bound) {
			before = out;
			out = trial;
			trial = before;
		}
		more = add_longer(&l, &finder, lp_value(l.lp) * l.ms);
	}
	path_cuts_free(&first);
	relaxed_free(&trial);
	out.paths = path_cuts_copy(p, &l.paths);
	lp_model_close(&l);
	path_finder_free(&finder);
	return out;
}

void
relaxed_free(struct relaxed *r)
{
	path_cuts_free(&r->paths);
	free(r->price);
	free(r->weight.at);
	*r = (struct relaxed){ 0 };
}
