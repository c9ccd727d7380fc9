/* Relaxation: the linear programme solved with rows of paths generated on demand. */
#include "relaxation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lp_model.h"

enum {
	PATHS_A_ROUND = 6,	/* the critical one, and others under slightly changed costs */
	IDLE_ROUNDS = 12,	/* after which a path that is slack in every one is dropped */
	SLOW_ROUNDS = 4,	/* before which a solve is not called slow */
};
/* By up to so much stages are slowed for those, where the critical one is longer by less than LITTLE, and else. */
static const double NEAR = 0.02, FAR = 0.08, LITTLE = 0.01;
static const double SHORTAGE = 1e4;	/* price of a layer that is placed nowhere, in units of the programme's time */

struct relaxation {
	const struct problem *p;
	struct lp_model model;
	struct path_finder finder;	/* with the costs of the last solution */
	bool near;		/* the path found last was little longer than the programme's */
	int *idle;		/* [model.paths.n], rounds since each path was tight */
	bool spoilt;		/* lp_solve gave up on the programme, and may crash when it goes on from there */
	double deadline;	/* for lp_solve, which asks now and then */
};

/* True when the path is new. */
static bool
add_path(struct relaxation *r, const struct visits *v)
{
	int n = r->model.paths.n;

	lp_model_add(&r->model, v);
	if (r->model.paths.n == n)
		return false;
	r->idle = xreallocarray(r->idle, (size_t)n + 1, sizeof *r->idle);
	r->idle[n] = 0;
	return true;
}

static void
drop_path(struct relaxation *r, int i)
{
	lp_model_drop(&r->model, i);
	memmove(&r->idle[i], &r->idle[i + 1], (size_t)(r->model.paths.n - i) * sizeof *r->idle);
}

/* Paths to begin with; finding those takes at most half of the time, so that some is left for solving. */
static void
first_paths(struct relaxation *r, double deadline)
{
	double now = clock_now();
	struct path_cuts first = { 0 };

	path_finder_first(&r->finder, &first, now + (deadline - now) / 2);
	for (int i = 0; i < first.n; i++)
		add_path(r, &first.at[i]);
	path_cuts_free(&first);
}

static void
read_solution(struct relaxation *r, double *layers)
{
	const struct problem *p = r->p;
	struct times *t = xcalloc((size_t)p->pieces, sizeof *t);
	const double *x = lp_solution(r->model.lp);

	memset(layers, 0, (size_t)p->pieces * (size_t)p->net->nbodies * sizeof *layers);
	for (int i = 0; i < p->pieces; i++)
		t[i] = end_times(p, i);
	for (int c = 0; c < r->model.columns; c++) {
		struct times each = column_times(&r->model, c);
		int piece = r->model.column[c].piece;

		layers[piece * p->net->nbodies + r->model.column[c].body] += x[c + 1];
		t[piece].forward += x[c + 1] * each.forward;
		t[piece].backward += x[c + 1] * each.backward;
		t[piece].gradient += x[c + 1] * each.gradient;
	}
	for (int i = 0; i < p->pieces; i++)
		piece_costs(p, i, t[i], r->finder.cost);
	free(t);
}

static void
add(double *sum, double *magnitude, double term)
{
	*sum += term;
	*magnitude += fabs(term);
}

/*
 * A lower bound on every plan from the multipliers of the last solution, ms, by weak duality: with any multipliers of
 * the right sign, the Lagrangian's minimum over 0 <= n <= most is below every plan, whatever the solver's tolerances.
 * WEIGHT is the mean of paths by their multipliers, PRICE those of memory. 0: no multiplier of a path is positive.
 */
static double
prove(const struct relaxation *r, struct visits *weight, double *price)
{
	const struct lp_model *l = &r->model;
	const struct problem *p = l->p;
	double *dual, bound, magnitude, largest = 0, sum = 0;
	int at;

	dual = xcalloc((size_t)lp_rows(l->lp) + (size_t)lp_columns(l->lp) + 1, sizeof *dual);
	if (!lp_duals(l->lp, dual)) {
		free(dual);
		return 0;
	}
	memset(weight->at, 0, (size_t)p->evaluator.slots * sizeof *weight->at);
	weight->delay = 0;
	for (int i = 0; i < l->paths.n; i++)
		sum += fmax(dual[l->rows + 1 + i], 0);
	if (!(sum > 0)) {
		free(dual);
		return 0;
	}
	for (int i = 0; i < l->paths.n; i++) {
		double part = fmax(dual[l->rows + 1 + i], 0) / sum;

		for (int k = 0; k < p->evaluator.slots && part > 0; k++)
			weight->at[k] += part * l->paths.at[i].at[k];
		weight->delay += part * l->paths.at[i].delay;
	}
	/* The paths' multipliers add up to 1 now; the others are scaled alike, from the programme's units to ms. */
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
	/* The error of reduced costs counts once a layer, as columns sum to the number of layers. */
	magnitude += largest * p->net->layers;
	return proved_bound(p, bound, magnitude, lp_rows(l->lp) + l->columns + l->paths.n);
}

static void
drop_idle(struct relaxation *r)
{
	const struct lp_model *l = &r->model;

	for (int i = 0; i < l->paths.n; i++)
		r->idle[i] = lp_slack(l->lp, l->rows + 1 + i) > 1e-6 ? r->idle[i] + 1 : 0;
	for (int i = l->paths.n; i-- > 0; )
		if (r->idle[i] > IDLE_ROUNDS)
			drop_path(r, i);
}

/* Add paths longer than Z, ms, under the costs of the last solution; false when no new one is found. */
static bool
add_longer(struct relaxation *r, double z)
{
	double length[LANES];
	const struct visits *path = path_finder_around(&r->finder, r->near ? NEAR : FAR, PATHS_A_ROUND, length);
	bool any = false;

	if (length[0] <= z * (1 + 1e-7))
		return false;
	r->near = length[0] < z * (1 + LITTLE);
	drop_idle(r);
	for (int i = 0; i < PATHS_A_ROUND; i++)
		if (i == 0 || length[i] > z + 0.25 * (length[0] - z))
			any |= add_path(r, &path[i]);
	return any;
}

/*
 * Columns for layers that are placed nowhere, at a price: with them there is always a solution, and where nothing fits
 * the multipliers prove a bound beyond any plan.
 */
static void
add_shortages(struct relaxation *r)
{
	const struct problem *p = r->p;
	struct lp *lp = r->model.lp;
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

/* The programme without paths, to which the caller may add some before end_programme(). */
static void
begin_programme(struct relaxation *r)
{
	lp_model_open(&r->model, r->p, true);
	lp_set_deadline(r->model.lp, &r->deadline);
	r->spoilt = false;
}

static void
end_programme(struct relaxation *r)
{
	lp_model_opened(&r->model);
	if (r->p->net->nbodies > 1)
		add_shortages(r);
}

struct relaxation *
relaxation_new(const struct problem *p, double deadline)
{
	struct relaxation *r = xcalloc(1, sizeof *r);

	r->p = p;
	r->finder = path_finder_new(p);
	begin_programme(r);
	first_paths(r, deadline);
	end_programme(r);
	return r;
}

/* The same programme anew. */
static void
renew_programme(struct relaxation *r)
{
	struct path_cuts paths = path_cuts_copy(r->p, &r->model.paths);

	lp_model_close(&r->model);
	begin_programme(r);
	for (int i = 0; i < paths.n; i++)
		add_path(r, &paths.at[i]);
	end_programme(r);
	path_cuts_free(&paths);
}

struct relaxed
relaxation_solve(struct relaxation *r, double enough, double slow, double deadline)
{
	const struct problem *p = r->p;
	struct relaxed out = { .weight = visits_new(p) };
	struct visits weight = visits_new(p);
	int rows = 0, look = SLOW_ROUNDS;
	double *price, before = -INFINITY;

	for (int s = 0; s < p->stages; s++)
		rows += p->evaluator.rows[s].n;
	price = xcalloc((size_t)rows, sizeof *price);
	out.price = xcalloc((size_t)rows, sizeof *out.price);
	out.cost = xcalloc((size_t)p->evaluator.slots, sizeof *out.cost);
	out.layers = xcalloc((size_t)p->pieces * (size_t)p->net->nbodies, sizeof *out.layers);
	if (r->spoilt)
		renew_programme(r);
	r->deadline = deadline;
	while (clock_left(deadline) && out.bound < enough) {
		double bound;

		out.work += (double)lp_rows(r->model.lp) * lp_columns(r->model.lp);
		r->spoilt = lp_solve(r->model.lp) == LP_NO_SOLUTION;
		if (r->spoilt)
			break;
		out.rounds++;
		read_solution(r, out.layers);
		memcpy(out.cost, r->finder.cost, (size_t)p->evaluator.slots * sizeof *out.cost);
		bound = prove(r, &weight, price);
		if (bound > out.bound) {
			out.bound = bound;
			memcpy(out.price, price, (size_t)rows * sizeof *price);
			visits_copy(p, &out.weight, &weight);
		}
		if (!add_longer(r, lp_value(r->model.lp) * r->model.ms)) {
			out.converged = true;
			break;
		}
		if (out.rounds < look)
			continue;
		out.slow = out.bound - before < slow * (enough - out.bound);
		if (out.slow)
			break;
		before = out.bound;
		look *= 2;
	}
	free(weight.at);
	free(price);
	out.paths = path_cuts_copy(p, &r->model.paths);
	return out;
}

void
relaxation_free(struct relaxation *r)
{
	lp_model_close(&r->model);
	path_finder_free(&r->finder);
	free(r->idle);
	free(r);
}

void
relaxed_free(struct relaxed *r)
{
	path_cuts_free(&r->paths);
	free(r->cost);
	free(r->layers);
	free(r->price);
	free(r->weight.at);
	*r = (struct relaxed){ 0 };
}
