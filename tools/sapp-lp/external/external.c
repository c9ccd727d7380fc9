/* External: rounds of another solver, with cuts by the critical paths of its plans. */
#include "external.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/status.h"

enum { PATHS_A_ROUND = 6 };	/* the critical path, and other paths under slightly changed costs */

/*
 * First time slice: a fraction of the time, and a minimum in s, because some solvers need seconds. The slice doubles
 * after a round without an optimum.
 */
static const double FIRST_SLICE = 1.0 / 16, LEAST_SLICE = 1.1;

/* Possible rounding of bounds, relative and in ms, because solvers print them with few digits. */
static const double BOUND_DIGITS = 1e-6, BOUND_PLACES = 1e-3;
/* relative difference allowed between a solver's optimum and its plan's value */
static const double AGREE = 1e-7;

struct external {
	const struct problem *p;
	struct solver *solver;
	struct lp_model model;
	struct path_finder finder;
	struct candidate trial, best;
	double best_time, bound;
	double slice;		/* s, time slice of the next round */
};

/*
 * Return the step of c->trial, and keep the plan if it is the best. Leaves the plan's costs and critical path in the
 * finder.
 */
static double
try_plan(struct external *c)
{
	double time;

	candidate_costs(c->p, &c->trial, c->finder.cost);
	time = path_finder_longest(&c->finder);
	if (time < c->best_time) {
		c->best_time = time;
		candidate_copy(c->p, &c->best, &c->trial);
	}
	return time;
}

/* Return the length of the programme's longest path under the costs of c->trial, ms. */
static double
longest_row(const struct external *c)
{
	const struct path_cuts *paths = &c->model.paths;
	double longest = 0;

	for (int i = 0; i < paths->n; i++)
		longest = fmax(longest,
		    visits_length(&c->p->evaluator, &paths->at[i], c->finder.cost));
	return longest;
}

/*
 * Add the critical path, and other paths that are longer than the programme's longest path. Return true if any of the
 * added paths is new.
 */
static bool
add_rows(struct external *c, double longest)
{
	double length[LANES];
	const struct visits *path = path_finder_around(&c->finder, 0.02, PATHS_A_ROUND, length);
	int before = c->model.paths.n;

	for (int i = 0; i < PATHS_A_ROUND; i++)
		if (i == 0 || length[i] > longest)
			lp_model_add(&c->model, &path[i]);
	return c->model.paths.n > before;
}

struct external *
external_new(const struct problem *p, struct solver *solver, const struct relaxed *relaxed,
    const struct candidate *known)
{
	struct external *c = xcalloc(1, sizeof *c);

	c->p = p;
	c->solver = solver;
	c->finder = path_finder_new(p);
	c->trial = candidate_new(p);
	c->best = candidate_new(p);
	c->best_time = INFINITY;
	mip_open(&c->model, p);
	for (int i = 0; i < relaxed->paths.n; i++)
		lp_model_add(&c->model, &relaxed->paths.at[i]);
	if (known != NULL) {
		candidate_copy(p, &c->trial, known);
		try_plan(c);
		lp_model_add(&c->model, &c->finder.path);
	}
	return c;
}

/* Return the end of the next round, s of clock_now(). */
static double
next_end(struct external *c, double deadline)
{
	double now = clock_now(), left = deadline - now;

	if (c->slice == 0)
		c->slice = fmax(FIRST_SLICE * left, LEAST_SLICE);
	return left < 1.5 * c->slice ? deadline : now + c->slice;
}

bool
external_run(struct external *c, double deadline)
{
	struct solution s = solver_run(c->solver, &c->model, next_end(c, deadline));
	double time, longest;
	bool more = s.status == SOLVED_STOPPED;

	if (s.status == SOLVED_INFEASIBLE && c->best_time < INFINITY)
		errx(STATUS_ERROR, "-solver: %s reports that nothing fits into memory, but a plan that fits is known",
		    solver_name(c->solver));
	if (s.status == SOLVED_STOPPED)
		c->slice *= 2;
	if (s.status == SOLVED_OPTIMAL)
		s.bound = fmax(s.bound, s.x[1]);
	c->bound = fmax(c->bound, s.bound - BOUND_DIGITS * fabs(s.bound) - BOUND_PLACES);
	if (s.found && mip_plan(&c->model, s.x, &c->trial)) {
		time = try_plan(c);
		longest = longest_row(c);
		/* The optimum over the known paths is computed from the plan, because the solver prints few digits. */
		if (s.status == SOLVED_OPTIMAL)
			c->bound = fmax(c->bound, fmin(longest, s.x[1] * (1 + AGREE)));
		more |= add_rows(c, longest) && time > longest;
	}
	if (c->best_time < c->bound * (1 - 10 * AGREE))
		errx(STATUS_ERROR,
		    "-solver: %s reports a minimum step of %.10g ms, but a known plan takes %.10g ms",
		    solver_name(c->solver), c->bound, c->best_time);
	c->bound = fmin(c->bound, c->best_time);
	solution_free(&s);
	return more;
}

double
external_best(const struct external *c, struct candidate *out)
{
	if (out != NULL && c->best_time < INFINITY)
		candidate_copy(c->p, out, &c->best);
	return c->best_time;
}

double
external_bound(const struct external *c)
{
	return c->bound;
}

const struct path_cuts *
external_paths(const struct external *c)
{
	return &c->model.paths;
}

void
external_free(struct external *c)
{
	lp_model_close(&c->model);
	path_finder_free(&c->finder);
	candidate_free(&c->trial);
	candidate_free(&c->best);
	free(c);
}
