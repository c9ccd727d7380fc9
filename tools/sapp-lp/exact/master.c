#include "master.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"

enum {
	SLOW_ROUNDS = 6,	/* rounds between tests for slow progress of the bound */
	PATHS_A_ROUND = 4,	/* the critical path, and other paths under slightly changed costs */
	DROP_EVERY = 4,		/* rounds between purges of unused rows and columns */
	/* maximum number of plans whose step times are computed in a round, in the lanes that paths do not use */
	PLANS_A_ROUND = 4,
};
static const double SLOWER = 0.02;	/* maximum slowdown of stages: see path_finder_around() */
/* a path is added if its violation is at least this fraction of the critical path's violation */
static const double LONGER = 0.25;
/* Processor time in about ns: per coefficient of the programme, and per simulated operation. */
static const double WORK_A_COEFFICIENT = 0.13, WORK_AN_OPERATION = 6;

struct generating {		/* generation of rows and columns for one master problem */
	const struct problem *p;
	struct patterns *patterns;
	struct programme g;
	struct visits trial;	/* the mean of paths to be priced */
	double *trial_price;	/* [bodies], ms, prices of layers to be priced, with several chunks */
	struct candidate priced;	/* the columns of least reduced cost under trial and trial_price */
	int plans;
	struct candidate plan[PLANS_A_ROUND];	/* [plans], plans found since step times were last computed */
	struct path_finder finder;	/* with the costs of the last fractional solution, or of a plan */
	struct mastered *out;
};

/*
 * Keep m->priced if it is a plan. Columns need not place all layers in order, and proof_limit() allows more memory than
 * plans have.
 */
static void
take_plan(struct generating *m)
{
	if (m->plans < PLANS_A_ROUND && candidate_placed(m->p, &m->priced) && candidate_fits(m->p, &m->priced))
		candidate_copy(m->p, &m->plan[m->plans++], &m->priced);
}

/*
 * Price m->trial: compute its bound, and add the columns of the cheapest choice. Return true if the bound is the best
 * so far, or if a column is new to the programme.
 */
static bool
price(struct generating *m, double horizon)
{
	const struct problem *p = m->p;
	struct mastered *out = m->out;
	double above = out->bound * (1 + 1e-9);
	double bound = patterns_price(m->patterns, &m->trial, m->trial_price, above, horizon, &m->priced);
	bool better = bound > above, news = false, whole = true;

	out->work += patterns_work(m->patterns);
	if (bound == -INFINITY)
		return false;
	if (better) {
		out->bound = bound;
		visits_copy(p, &out->weight, &m->trial);
		memcpy(out->price, m->trial_price, (size_t)p->net->nbodies * sizeof *out->price);
	}
	if (bound < INFINITY) {
		for (int s = 0; s < p->stages; s++)
			if (m->priced.content[s] >= 0)
				news |= programme_join_column(&m->g, column_pool_add(m->g.pool, &m->priced, s));
			else
				whole = false;
		if (whole)
			take_plan(m);
	}
	return better || news;
}

static void
begin(struct generating *m, struct column_pool *pool, const struct visits *weight, const double *layer_price,
    const struct subset *paths, const struct subset *columns, double horizon)
{
	const struct problem *p = m->p;

	m->trial = visits_new(p);
	m->trial_price = xcalloc((size_t)p->net->nbodies, sizeof *m->trial_price);
	m->priced = candidate_new(p);
	for (int i = 0; i < PLANS_A_ROUND; i++)
		m->plan[i] = candidate_new(p);
	m->finder = path_finder_new(p);
	m->g = programme_new(pool, horizon < INFINITY ? horizon : 1);
	for (int i = 0; i < paths->n; i++)
		programme_join_path(&m->g, paths->at[i]);
	for (int i = 0; i < columns->n; i++) {
		const struct column *c = &pool->column[columns->at[i]];

		if (m->patterns->bounds == NULL || (node_allows_contents(p, m->patterns->bounds, c->stage,
		    c->content) && node_allows_setting(p, m->patterns->bounds, c->stage, c->backward,
		    c->gradient)))
			programme_join_column(&m->g, columns->at[i]);
	}
	visits_copy(p, &m->trial, weight);
	memcpy(m->trial_price, layer_price, (size_t)p->net->nbodies * sizeof *layer_price);
	m->out->bound = -INFINITY;
	price(m, horizon);
}

static void
end(struct generating *m)
{
	programme_free(&m->g);
	free(m->trial.at);
	free(m->trial_price);
	candidate_free(&m->priced);
	for (int i = 0; i < PLANS_A_ROUND; i++)
		candidate_free(&m->plan[i]);
	path_finder_free(&m->finder);
}

static void
spread_clear(struct spread **b, int n)
{
	*b = xreallocarray(*b, (size_t)n, sizeof **b);
	for (int i = 0; i < n; i++)
		(*b)[i] = (struct spread){ .least = INFINITY, .most = -INFINITY };
}

static void
spread_add(struct spread *b, double part, double x, bool deviation)
{
	if (deviation) {
		b->spread += part * fabs(x - b->mean);
		return;
	}
	b->least = fmin(b->least, x);
	b->most = fmax(b->most, x);
	b->mean += part * x;
}

static void
add_cost(struct generating *m, int piece, double part, struct times t)
{
	double ms[2 * PHASES];

	phase_times(m->p, piece, t, ms);
	for (int k = 0; k < m->p->evaluator.phases; k++)
		m->finder.cost[k * m->p->pieces + piece] += part * ms[k];
}

/*
 * Compute costs and spreads of the fractional solution. Two passes are needed, because deviations depend on the means.
 */
static void
read_solution(struct generating *m)
{
	const struct problem *p = m->p;
	struct mastered *out = m->out;

	spread_clear(&out->total, p->stages);
	spread_clear(&out->layers, p->pieces);
	spread_clear(&out->backward, p->pieces);
	spread_clear(&out->gradient, p->pieces);
	free(out->body);
	out->body = xcalloc((size_t)p->pieces * (size_t)p->net->nbodies, sizeof *out->body);
	memset(m->finder.cost, 0, (size_t)p->evaluator.slots * sizeof *m->finder.cost);
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < m->g.columns.n; i++) {
			const struct column *c = &m->g.pool->column[m->g.columns.at[i]];
			double part = m->g.x[m->g.first + i];
			int total = 0;

			if (part <= 1e-9)
				continue;
			for (int k = 0; k < p->chunks; k++) {
				const struct content *content = &p->contents.content[c->content[k]];
				int piece = k * p->stages + c->stage;

				for (int b = 0; b < p->net->nbodies && pass == 0; b++)
					out->body[piece * p->net->nbodies + b] += part * content->body[b];
				total += content->layers;
				spread_add(&out->layers[piece], part, content->layers, pass);
				spread_add(&out->backward[piece], part, c->backward[k], pass);
				spread_add(&out->gradient[piece], part, c->gradient[k], pass);
				if (pass == 0)
					add_cost(m, piece, part,
					    piece_times(p, piece, content, problem_mix(p, c->content[k], c->mix[k])));
			}
			spread_add(&out->total[c->stage], part, total, pass);
		}
}

/* If every stage uses a single setting, the solution is a plan. Keep it if it is the best plan. */
static void
read_plan(struct generating *m)
{
	const struct problem *p = m->p;
	int whole = 0;

	for (int i = 0; i < m->g.columns.n; i++) {
		const struct column *c = &m->g.pool->column[m->g.columns.at[i]];

		if (m->g.x[m->g.first + i] < 0.5)
			continue;
		whole++;
		for (int k = 0; k < p->chunks; k++) {
			m->priced.content[k * p->stages + c->stage] = c->content[k];
			m->priced.mix[k * p->stages + c->stage] = c->mix[k];
		}
	}
	if (whole == p->stages)
		take_plan(m);
}

/*
 * Separation: find paths that are longer than Z, ms, under the fractional solution. The critical path, of length
 * *LONGEST, comes first. Get the indices of the paths in FOUND and return their number. The same pass computes the step
 * times of m->plan.
 */
static int
find_longer(struct generating *m, double z, double *longest, int *found)
{
	const struct problem *p = m->p;
	struct lanes *lanes = path_finder_costs(&m->finder);
	double length[LANES], cost[p->evaluator.slots];
	const struct visits *path;
	int n = 0;

	for (int k = 0; k < m->plans; k++) {
		candidate_costs(p, &m->plan[k], cost);
		for (int i = 0; i < p->evaluator.slots; i++)
			lanes[i].at[PATHS_A_ROUND + k] = cost[i];
	}
	path = path_finder_around(&m->finder, SLOWER, PATHS_A_ROUND, length);
	for (int k = 0; k < m->plans; k++)
		if (length[PATHS_A_ROUND + k] < m->out->step_time) {
			m->out->step_time = length[PATHS_A_ROUND + k];
			candidate_copy(p, &m->out->plan, &m->plan[k]);
		}
	m->plans = 0;
	*longest = length[0];
	for (int i = 0; i < PATHS_A_ROUND && *longest > z * (1 + 1e-9); i++)
		if (i == 0 || length[i] > z + LONGER * (*longest - z))
			found[n++] = path_cuts_add(p, &m->g.pool->paths, &path[i]);
	return n;
}

/*
 * Set m->trial to a mean of paths for the next bound. The weights of the paths are the dual values of their rows in the
 * master problem m->g.lp. The fraction PART of m->trial comes from the best mean instead, to damp oscillation
 * (stabilisation; Wentges 1997). Return false if no dual value is positive.
 */
static bool
read_weights(struct generating *m, double part)
{
	const struct problem *p = m->p;
	double path[m->g.paths.n + 1], sum = 0;

	for (int i = 0; i < m->g.paths.n; i++) {
		path[i] = fmax(tableau_dual(m->g.lp, m->g.first_path + i), 0);
		sum += path[i];
	}
	if (!(sum > 0))
		return false;
	for (int k = 0; k < p->evaluator.slots; k++)
		m->trial.at[k] = part * m->out->weight.at[k];
	m->trial.delay = part * m->out->weight.delay;
	for (int b = 0; b < p->net->nbodies; b++)
		m->trial_price[b] = part * m->out->price[b] + (1 - part) * tableau_dual(m->g.lp, b) * m->g.ms / sum;
	for (int i = 0; i < m->g.paths.n; i++) {
		const struct visits *v = &m->g.pool->paths.at[m->g.paths.at[i]];
		double w = (1 - part) * path[i] / sum;

		if (w == 0)
			continue;
		for (int k = 0; k < p->evaluator.slots; k++)
			m->trial.at[k] += w * v->at[k];
		m->trial.delay += w * v->delay;
	}
	return true;
}

struct mastered
master_solve(struct column_pool *pool, struct patterns *patterns, const struct visits *weight,
    const double *layer_price, const struct subset *paths, const struct subset *columns, const struct generation *g)
{
	const struct problem *p = pool->problem;
	struct mastered out = { .weight = visits_new(p),
		.price = xcalloc((size_t)p->net->nbodies, sizeof *out.price),
		.plan = candidate_new(p), .step_time = INFINITY };
	struct generating m = { .p = p, .patterns = patterns, .out = &out };
	int look = 2 * SLOW_ROUNDS;
	double before;

	begin(&m, pool, weight, layer_price, paths, columns, g->horizon);
	before = out.bound;
	for (int r = 0; r < g->rounds && !out.converged && out.bound < fmin(g->horizon, g->enough); r++) {
		static const double parts[] = { 0.6, 0 };
		double value, longest;
		int longer[PATHS_A_ROUND], n;
		bool news = false;

		if (!clock_left(g->deadline) || !programme_solve(&m.g, g->deadline, &value))
			break;
		/* Read the solution before columns are added that it does not have. */
		read_solution(&m);
		read_plan(&m);
		programme_mark_used(&m.g, &out.paths, &out.columns);
		for (size_t i = 0; i < sizeof parts / sizeof parts[0] && out.bound < g->horizon; i++)
			if (read_weights(&m, parts[i]))
				news |= price(&m, g->horizon);
		n = find_longer(&m, m.g.x[0] * m.g.ms, &longest, longer);
		for (int i = 0; i < n; i++)
			news |= programme_join_path(&m.g, longer[i]);
		out.converged = !news || fmax(value, longest) <= out.bound * (1 + g->close);
		out.work += WORK_AN_OPERATION * p->evaluator.noperations;
		if (m.g.round % DROP_EVERY == 0)
			programme_drop_unused(&m.g);
		if (r + 1 < look)
			continue;
		if (out.bound - before < g->slow * (g->horizon - out.bound))
			break;
		before = out.bound;
		look += SLOW_ROUNDS;
	}
	if (m.plans > 0) {
		double longest;

		find_longer(&m, INFINITY, &longest, NULL);
	}
	out.work += WORK_A_COEFFICIENT * tableau_work(m.g.lp);
	end(&m);
	return out;
}

void
mastered_free(struct mastered *m)
{
	free(m->weight.at);
	free(m->price);
	free(m->paths.at);
	free(m->columns.at);
	free(m->total);
	free(m->layers);
	free(m->backward);
	free(m->gradient);
	free(m->body);
	candidate_free(&m->plan);
	*m = (struct mastered){ 0 };
}
