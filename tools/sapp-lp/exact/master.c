/* Master problem: column and row generation. */
#include "master.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/bound/lp.h"
#include "sapp-lp/pattern/stage_dp.h"
#include "sapp-lp/pattern/stages_apart.h"

enum {
	SLOW_ROUNDS = 6,	/* between looks at whether the bound still rises */
	PATHS_A_ROUND = 4,	/* the critical one, and others under slightly changed costs: */
};
static const double LACK = 1;	/* cost of a layer that lacks, in units of the programme's time */
static const double SLOWER = 0.02;	/* by up to so much, see path_finder_run() */
static const double LONGER = 0.25;	/* part of the critical path's violation from which another path is added */
/*
 * Of a pattern, a state for each pattern, and a pattern without a list of settings for each two of its chunks, as there
 * are multipliers for each: see pricing_work().
 */
static const double WORK_A_PATTERN = 1.4, WORK_A_STATE = 0.008, WORK_UNLISTED = 9;

struct programme {
	struct column_pool *pool;
	const struct problem *p;
	struct patterns *patterns;
	/* Column 1 is z, then lacks, then the settings; rows: layers of bodies, convexity of stages, paths. */
	struct lp *lp;
	int first;	/* column of the first setting */
	struct subset paths, columns;	/* in the programme, in order */
	/* [path_room] and [column_room]: whether each of the pool is in the programme */
	char *has_path, *has_column;
	int path_room, column_room;
	double ms;		/* unit of time of the programme's figures */
	struct visits trial;	/* the mean of paths to be priced, */
	double *trial_price;	/* [bodies] and what is paid for layers, ms each, where stages are apart */
	struct candidate priced;	/* the settings that are cheapest under it */
	struct path_finder finder;	/* with the costs of the last fractional solution, or of a plan */
	double *row;		/* [row_room], scratch for a row or column */
	int *index, row_room;
	struct mastered *out;
	double deadline;
};

static void
subset_add(struct subset *set, char **has, int *room, int i)
{
	if (i >= *room) {
		*has = xreallocarray(*has, (size_t)i * 2 + 64, 1);
		memset(*has + *room, 0, (size_t)i * 2 + 64 - (size_t)*room);
		*room = i * 2 + 64;
	}
	(*has)[i] = 1;
	set->at = xreallocarray(set->at, (size_t)set->n + 1, sizeof *set->at);
	set->at[set->n++] = i;
}

static void
make_room(struct programme *m)
{
	int need = 4 + m->columns.n + m->paths.n + m->p->stages + m->p->net->nbodies;

	if (need <= m->row_room)
		return;
	m->row_room = 2 * need;
	m->row = xreallocarray(m->row, (size_t)m->row_room, sizeof *m->row);
	m->index = xreallocarray(m->index, (size_t)m->row_room, sizeof *m->index);
}

/* ms that a column adds to a path. */
static double
length(const struct problem *p, const struct column *c, const struct visits *v)
{
	double sum = 0;

	for (int k = 0; k < p->chunks; k++) {
		const struct content *content = &p->contents.content[c->content[k]];
		int piece = k * p->stages + c->stage;

		sum += times_product(piece_worth(p, piece, v),
		    piece_times(p, piece, content, problem_mix(p, c->content[k], c->mix[k])));
	}
	return sum;
}

/* Add a column of the pool to the programme; false when it was there. */
static bool
join_column(struct programme *m, int number)
{
	const struct problem *p = m->p;
	const struct column *c = &m->pool->column[number];
	int n = 0;

	if (number < m->column_room && m->has_column[number])
		return false;
	make_room(m);
	for (int b = 0; b < p->net->nbodies; b++) {
		m->row[n] = 0;
		for (int k = 0; k < p->chunks; k++)
			m->row[n] += p->contents.content[c->content[k]].body[b];
		m->index[n++] = 1 + b;
	}
	m->row[n] = 1;
	m->index[n++] = 1 + p->net->nbodies + c->stage;
	for (int i = 0; i < m->paths.n; i++) {
		double t = length(p, c, &m->pool->paths.at[m->paths.at[i]]);

		if (t != 0) {
			m->row[n] = -t / m->ms;
			m->index[n++] = 1 + p->net->nbodies + p->stages + i;
		}
	}
	lp_add_column(m->lp, n, m->row, m->index);
	subset_add(&m->columns, &m->has_column, &m->column_room, number);
	return true;
}

static bool
join_path(struct programme *m, int number)
{
	const struct visits *v = &m->pool->paths.at[number];
	int n = 0;

	if (number < m->path_room && m->has_path[number])
		return false;
	make_room(m);
	m->row[n] = 1;
	m->index[n++] = 1;
	for (int i = 0; i < m->columns.n; i++) {
		double t = length(m->p, &m->pool->column[m->columns.at[i]], v);

		if (t != 0) {
			m->row[n] = -t / m->ms;
			m->index[n++] = m->first + i;
		}
	}
	lp_add_row(m->lp, n, m->row, m->index, LP_AT_LEAST, v->delay / m->ms);
	subset_add(&m->paths, &m->has_path, &m->path_room, number);
	return true;
}

/* The choice in m->priced, if it is a plan: proofs count layers without their order, and grant some memory more. */
static void
take_plan(struct programme *m)
{
	const struct problem *p = m->p;
	double time;

	if (!candidate_placed(p, &m->priced) || !candidate_fits(p, &m->priced))
		return;
	candidate_costs(p, &m->priced, m->finder.cost);
	time = path_finder_longest(&m->finder);
	if (time < m->out->step_time) {
		m->out->step_time = time;
		candidate_copy(p, &m->out->plan, &m->priced);
	}
}

/* Of one pricing round, in the time that the solver takes for so many coefficients of a programme. */
static double
pricing_work(const struct patterns *c)
{
	double arcs = c->apart ? 0 : stage_dp_states(c->problem), n = 0;

	for (int s = 0; s < c->problem->stages; s++)
		n += c->n[s];
	return n * (WORK_A_PATTERN + WORK_A_STATE * arcs) +
	    patterns_unlisted(c) * WORK_UNLISTED * c->problem->chunks * c->problem->chunks;
}

/*
 * Pricing: the bound of m->trial, and the columns of the choice that is cheapest under it. True when the bound is the
 * best so far, or a column is new to the programme.
 */
static bool
price(struct programme *m, double horizon)
{
	const struct problem *p = m->p;
	struct mastered *out = m->out;
	bool apart = m->patterns->apart;
	double above = out->bound * (1 + 1e-9), bound = apart ?
	    apart_bound(m->patterns, &m->trial, m->trial_price, &m->priced) :
	    stage_dp_raise(m->patterns, &m->trial, above, horizon, &m->priced);
	bool better = bound > above, news = false;

	out->work += pricing_work(m->patterns);
	if (bound == -INFINITY)
		return false;
	if (better) {
		out->bound = bound;
		visits_copy(p, &out->weight, &m->trial);
		memcpy(out->price, m->trial_price, (size_t)p->net->nbodies * sizeof *out->price);
		if (out->bound < horizon && apart)
			apart_trim(m->patterns, &out->weight, out->price, horizon);
	}
	if (bound < INFINITY) {
		for (int s = 0; s < p->stages; s++)
			news |= join_column(m, column_pool_add(m->pool, &m->priced, s));
		take_plan(m);
	}
	return better || news;
}

/* Where stages are apart, the settings that they take may not add up to the model's layers: some lack, or are more. */
static void
add_lacks(struct programme *m)
{
	static double one[] = { 1, -1 };

	for (int b = 1; b <= m->p->net->nbodies; b++)
		for (int i = 0; i < 2; i++) {
			lp_add_column(m->lp, 1, &one[i], &b);
			lp_set_cost(m->lp, lp_columns(m->lp), LACK);
		}
}

static void
open_programme(struct programme *m, const struct visits *weight, const double *layer_price,
    const struct subset *paths, const struct subset *columns, double horizon)
{
	const struct problem *p = m->p;

	m->ms = horizon < INFINITY ? horizon : 1;
	m->trial = visits_new(p);
	m->trial_price = xcalloc((size_t)p->net->nbodies, sizeof *m->trial_price);
	m->priced = candidate_new(p);
	m->finder = path_finder_new(p);
	m->lp = lp_new(1);
	lp_set_deadline(m->lp, &m->deadline);
	lp_set_cost(m->lp, 1, 1);
	make_room(m);
	for (int b = 0; b < p->net->nbodies; b++)
		lp_add_row(m->lp, 0, m->row, m->index, LP_EQUAL, p->net->body[b].layers);
	for (int s = 0; s < p->stages; s++)
		lp_add_row(m->lp, 0, m->row, m->index, LP_EQUAL, 1);
	if (m->patterns->apart)
		add_lacks(m);
	m->first = lp_columns(m->lp) + 1;
	for (int i = 0; i < paths->n; i++)
		join_path(m, paths->at[i]);
	for (int i = 0; i < columns->n; i++) {
		const struct column *c = &m->pool->column[columns->at[i]];

		if (m->patterns->bounds == NULL || (node_allows_contents(p, m->patterns->bounds, c->stage,
		    c->content) && node_allows_setting(p, m->patterns->bounds, c->stage, c->backward,
		    c->gradient)))
			join_column(m, columns->at[i]);
	}
	visits_copy(p, &m->trial, weight);
	memcpy(m->trial_price, layer_price, (size_t)p->net->nbodies * sizeof *layer_price);
	m->out->bound = -INFINITY;
	price(m, horizon);
}

static void
close_programme(struct programme *m)
{
	lp_free(m->lp);
	free(m->paths.at);
	free(m->columns.at);
	free(m->has_path);
	free(m->has_column);
	free(m->trial.at);
	free(m->trial_price);
	candidate_free(&m->priced);
	path_finder_free(&m->finder);
	free(m->row);
	free(m->index);
}

static void
spread_clear(struct spread **b, int n)
{
	free(*b);
	*b = xcalloc((size_t)n, sizeof **b);
}

static void
spread_add(struct spread *b, double part, double x, bool distance)
{
	if (distance) {
		b->apart += part * fabs(x - b->mean);
		return;
	}
	b->least = b->any ? fmin(b->least, x) : x;
	b->most = b->any ? fmax(b->most, x) : x;
	b->any = true;
	b->mean += part * x;
}

static void
add_cost(struct programme *m, int piece, double part, struct times t)
{
	double ms[2 * PHASES];

	phase_times(m->p, piece, t, ms);
	for (int k = 0; k < m->p->evaluator.phases; k++)
		m->finder.cost[k * m->p->pieces + piece] += part * ms[k];
}

/* The costs of the fractional solution, and what it combines. Two passes: deviations need the means. */
static void
read_solution(struct programme *m)
{
	const struct problem *p = m->p;
	struct mastered *out = m->out;
	const double *x = lp_solution(m->lp);

	spread_clear(&out->total, p->stages);
	spread_clear(&out->layers, p->pieces);
	spread_clear(&out->backward, p->pieces);
	spread_clear(&out->gradient, p->pieces);
	free(out->body);
	out->body = xcalloc((size_t)p->pieces * (size_t)p->net->nbodies, sizeof *out->body);
	memset(m->finder.cost, 0, (size_t)p->evaluator.slots * sizeof *m->finder.cost);
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < m->columns.n; i++) {
			const struct column *c = &m->pool->column[m->columns.at[i]];
			double part = x[m->first - 1 + i];
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

/* Where every stage uses a single setting, the solution is a plan: keep it if it is the best so far. */
static void
read_plan(struct programme *m)
{
	const struct problem *p = m->p;
	const double *x = lp_solution(m->lp);
	int whole = 0;

	for (int i = 0; i < m->columns.n; i++) {
		const struct column *c = &m->pool->column[m->columns.at[i]];

		if (x[m->first - 1 + i] < 0.5)
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
 * Separation: paths longer than Z, ms, under the fractional solution, the critical one of length *LONGEST first.
 * FOUND gets their indices in the pool; returns how many.
 */
static int
find_longer(struct programme *m, double z, double *longest, int *found)
{
	struct path_cuts *pool = &m->pool->paths;
	int n = 0;

	*longest = path_finder_longest(&m->finder);
	if (*longest <= z * (1 + 1e-9))
		return 0;
	found[n++] = path_cuts_add(m->p, pool, &m->finder.path);
	for (int i = 1; i < PATHS_A_ROUND; i++)
		if (path_finder_run(&m->finder, SLOWER) > z + LONGER * (*longest - z))
			found[n++] = path_cuts_add(m->p, pool, &m->finder.path);
	return n;
}

/*
 * m->trial: the mean of paths by the programme's multipliers, PART of it replaced by the best one so far, which makes
 * multipliers swing less from round to round (stabilisation; Wentges 1997). False: no multiplier is positive.
 */
static bool
read_weights(struct programme *m, const double *dual, double part)
{
	const struct problem *p = m->p;
	const double *path = dual + 1 + p->net->nbodies + p->stages;
	double sum = 0;

	for (int i = 0; i < m->paths.n; i++)
		sum += fmax(path[i], 0);
	if (!(sum > 0))
		return false;
	for (int k = 0; k < p->evaluator.slots; k++)
		m->trial.at[k] = part * m->out->weight.at[k];
	m->trial.delay = part * m->out->weight.delay;
	for (int b = 0; b < p->net->nbodies; b++)
		m->trial_price[b] = part * m->out->price[b] + (1 - part) * dual[1 + b] * m->ms / sum;
	for (int i = 0; i < m->paths.n; i++) {
		const struct visits *v = &m->pool->paths.at[m->paths.at[i]];
		double w = (1 - part) * fmax(path[i], 0) / sum;

		if (w == 0)
			continue;
		for (int k = 0; k < p->evaluator.slots; k++)
			m->trial.at[k] += w * v->at[k];
		m->trial.delay += w * v->delay;
	}
	return true;
}

/* What the next programme should begin with: rows with a multiplier, columns with small reduced costs. */
static void
keep_active(struct programme *m, const double *dual)
{
	const struct problem *p = m->p;
	const double *path = dual + 1 + p->net->nbodies + p->stages, *reduced = path + m->paths.n;
	struct mastered *out = m->out;

	out->paths.n = out->columns.n = 0;
	out->paths.at = xreallocarray(out->paths.at, (size_t)m->paths.n, sizeof(int));
	out->columns.at = xreallocarray(out->columns.at, (size_t)m->columns.n, sizeof(int));
	for (int i = 0; i < m->paths.n; i++)
		if (path[i] > 1e-9)
			out->paths.at[out->paths.n++] = m->paths.at[i];
	for (int i = 0; i < m->columns.n; i++)
		if (reduced[m->first - 1 + i] < 0.02)
			out->columns.at[out->columns.n++] = m->columns.at[i];
}

struct mastered
master_solve(struct column_pool *pool, struct patterns *patterns, const struct visits *weight,
    const double *layer_price, const struct subset *paths, const struct subset *columns, const struct generation *g)
{
	const struct problem *p = pool->problem;
	struct mastered out = { .weight = visits_new(p),
		.price = xcalloc((size_t)p->net->nbodies, sizeof *out.price),
		.plan = candidate_new(p), .step_time = INFINITY };
	struct programme m = { .pool = pool, .p = p, .patterns = patterns, .out = &out,
		.deadline = g->deadline };
	int look = 2 * SLOW_ROUNDS;
	double before;

	open_programme(&m, weight, layer_price, paths, columns, g->horizon);
	before = out.bound;
	for (int r = 0; r < g->rounds && !out.converged && out.bound < fmin(g->horizon, g->enough); r++) {
		static const double parts[] = { 0.6, 0 };
		double *dual, value, longest;
		int longer[PATHS_A_ROUND], n;
		bool news = false;

		if (!clock_left(g->deadline))
			break;
		out.work += (double)lp_rows(m.lp) * lp_columns(m.lp);
		if (lp_solve(m.lp) == LP_NO_SOLUTION)
			break;
		value = lp_value(m.lp) * m.ms;
		dual = xcalloc((size_t)lp_rows(m.lp) + (size_t)lp_columns(m.lp) + 1, sizeof *dual);
		if (!lp_duals(m.lp, dual)) {
			free(dual);
			break;
		}
		read_solution(&m);
		keep_active(&m, dual);
		n = find_longer(&m, lp_solution(m.lp)[0] * m.ms, &longest, longer);
		for (size_t i = 0; i < sizeof parts / sizeof parts[0] && out.bound < g->horizon; i++)
			if (read_weights(&m, dual, parts[i]))
				news |= price(&m, g->horizon);
		free(dual);
		for (int i = 0; i < n; i++)
			news |= join_path(&m, longer[i]);
		out.converged = !news || fmax(value, longest) <= out.bound * (1 + g->close);
		read_plan(&m);
		if (r + 1 < look)
			continue;
		if (out.bound - before < g->slow * (g->horizon - out.bound))
			break;
		before = out.bound;
		look += SLOW_ROUNDS;
	}
	close_programme(&m);
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
