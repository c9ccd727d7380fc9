/* Master problem: column and row generation. */
#include "master.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/pattern/stage_dp.h"
#include "sapp-lp/pattern/stages_apart.h"
#include "tableau.h"

enum {
	SLOW_ROUNDS = 6,	/* between looks at whether the bound still rises */
	PATHS_A_ROUND = 4,	/* the critical one, and others under slightly changed costs: */
	UNUSED_ROUNDS = 12,	/* after which rows and columns are dropped, looked at each */
	DROP_EVERY = 4,		/* rounds; */
	KEEP_ROUNDS = 3,	/* the next programme begins with what was used in the last ones */
	PLANS_A_ROUND = 4,	/* whose step times are computed beside those, at most */
};
static const double USED_ROW = 1e-9, USED_COLUMN = 0.02;	/* multiplier and reduced cost of those */
static const double LACK = 1;	/* cost of a layer that lacks, in units of the programme's time */
static const double SLOWER = 0.02;	/* by up to so much, see path_finder_around() */
static const double LONGER = 0.25;	/* part of the critical path's violation from which another path is added */
/*
 * About ns of a processor: of a coefficient of the programme, of an operation simulated, and in pricing of a pattern,
 * of a state for each pattern, and of a pattern without a list of settings for each two of its chunks, as there are
 * multipliers for each.
 */
static const double WORK_A_COEFFICIENT = 0.13, WORK_AN_OPERATION = 6;
static const double WORK_A_PATTERN = 105, WORK_A_STATE = 0.6, WORK_UNLISTED = 675;

struct programme {
	struct column_pool *pool;
	const struct problem *p;
	struct patterns *patterns;
	/* Column 0 is z, then lacks, then the settings; rows: layers of bodies, convexity of stages, paths. */
	struct tableau *lp;
	int first_path;	/* row of the first path */
	int first;	/* column of the first setting */
	double *x;	/* [row_room], the columns of the last solution */
	struct subset paths, columns;	/* in the programme, in order */
	/* [path_room] and [column_room]: whether each of the pool is in the programme */
	char *has_path, *has_column;
	int *path_used, *column_used;	/* [row_room], the last round in which a multiplier, or a reduced cost, said so */
	int round;
	int path_room, column_room;
	double ms;		/* unit of time of the programme's figures */
	struct visits trial;	/* the mean of paths to be priced, */
	double *trial_price;	/* [bodies] and what is paid for layers, ms each, where stages are apart */
	struct candidate priced;	/* the settings that are cheapest under it */
	int plans;
	struct candidate plan[PLANS_A_ROUND];	/* [plans], met since step times were computed last */
	struct path_finder finder;	/* with the costs of the last fractional solution, or of a plan */
	double *row;		/* [row_room], scratch for a row or column */
	int row_room;
	struct mastered *out;
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
	int need = 4 + m->columns.n + m->paths.n + m->p->stages + 3 * m->p->net->nbodies;

	if (need <= m->row_room)
		return;
	m->row_room = 2 * need;
	m->row = xreallocarray(m->row, (size_t)m->row_room, sizeof *m->row);
	m->x = xreallocarray(m->x, (size_t)m->row_room, sizeof *m->x);
	m->path_used = xreallocarray(m->path_used, (size_t)m->row_room, sizeof *m->path_used);
	m->column_used = xreallocarray(m->column_used, (size_t)m->row_room, sizeof *m->column_used);
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
	for (int b = 0; b < p->net->nbodies; b++, n++) {
		m->row[n] = 0;
		for (int k = 0; k < p->chunks; k++)
			m->row[n] += p->contents.content[c->content[k]].body[b];
	}
	for (int s = 0; s < p->stages; s++)
		m->row[n++] = s == c->stage;
	for (int i = 0; i < m->paths.n; i++)
		m->row[n++] = -length(p, c, &m->pool->paths.at[m->paths.at[i]]) / m->ms;
	tableau_add_column(m->lp, 0, m->row);
	m->column_used[m->columns.n] = m->round;
	subset_add(&m->columns, &m->has_column, &m->column_room, number);
	return true;
}

static bool
join_path(struct programme *m, int number)
{
	const struct visits *v = &m->pool->paths.at[number];

	if (number < m->path_room && m->has_path[number])
		return false;
	make_room(m);
	memset(m->row, 0, (size_t)m->first * sizeof *m->row);
	m->row[0] = 1;
	for (int i = 0; i < m->columns.n; i++)
		m->row[m->first + i] = -length(m->p, &m->pool->column[m->columns.at[i]], v) / m->ms;
	tableau_add_row(m->lp, m->row, v->delay / m->ms);
	m->path_used[m->paths.n] = m->round;
	subset_add(&m->paths, &m->has_path, &m->path_room, number);
	return true;
}

/* Keep the choice in m->priced if it is a plan: proofs count layers without their order, and grant some memory more. */
static void
take_plan(struct programme *m)
{
	if (m->plans < PLANS_A_ROUND && candidate_placed(m->p, &m->priced) && candidate_fits(m->p, &m->priced))
		candidate_copy(m->p, &m->plan[m->plans++], &m->priced);
}

/* Of one pricing round. */
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
	memset(m->row, 0, (size_t)m->first_path * sizeof *m->row);
	for (int b = 0; b < m->p->net->nbodies; b++) {
		for (int sign = 1; sign >= -1; sign -= 2) {
			m->row[b] = sign;
			tableau_add_column(m->lp, LACK, m->row);
		}
		m->row[b] = 0;
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
	for (int i = 0; i < PLANS_A_ROUND; i++)
		m->plan[i] = candidate_new(p);
	m->finder = path_finder_new(p);
	make_room(m);
	m->first_path = p->net->nbodies + p->stages;
	for (int i = 0; i < m->first_path; i++)
		m->row[i] = i < p->net->nbodies ? p->net->body[i].layers : 1;
	m->lp = tableau_new(m->first_path, m->row);
	if (m->patterns->apart)
		add_lacks(m);
	m->first = tableau_columns(m->lp);
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
	tableau_free(m->lp);
	free(m->paths.at);
	free(m->columns.at);
	free(m->has_path);
	free(m->has_column);
	free(m->trial.at);
	free(m->trial_price);
	candidate_free(&m->priced);
	for (int i = 0; i < PLANS_A_ROUND; i++)
		candidate_free(&m->plan[i]);
	path_finder_free(&m->finder);
	free(m->path_used);
	free(m->column_used);
	free(m->row);
	free(m->x);
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
			double part = m->x[m->first + i];
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
	int whole = 0;

	for (int i = 0; i < m->columns.n; i++) {
		const struct column *c = &m->pool->column[m->columns.at[i]];

		if (m->x[m->first + i] < 0.5)
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
 * FOUND gets their indices in the pool; returns how many. Beside them the step times of the plans kept.
 */
static int
find_longer(struct programme *m, double z, double *longest, int *found)
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
			found[n++] = path_cuts_add(p, &m->pool->paths, &path[i]);
	return n;
}

/*
 * m->trial: the mean of paths by the programme's multipliers, PART of it replaced by the best one so far, which makes
 * multipliers swing less from round to round (stabilisation; Wentges 1997). False: no multiplier is positive.
 */
static bool
read_weights(struct programme *m, double part)
{
	const struct problem *p = m->p;
	double path[m->paths.n + 1], sum = 0;

	for (int i = 0; i < m->paths.n; i++) {
		path[i] = fmax(tableau_dual(m->lp, m->first_path + i), 0);
		sum += path[i];
	}
	if (!(sum > 0))
		return false;
	for (int k = 0; k < p->evaluator.slots; k++)
		m->trial.at[k] = part * m->out->weight.at[k];
	m->trial.delay = part * m->out->weight.delay;
	for (int b = 0; b < p->net->nbodies; b++)
		m->trial_price[b] = part * m->out->price[b] + (1 - part) * tableau_dual(m->lp, b) * m->ms / sum;
	for (int i = 0; i < m->paths.n; i++) {
		const struct visits *v = &m->pool->paths.at[m->paths.at[i]];
		double w = (1 - part) * path[i] / sum;

		if (w == 0)
			continue;
		for (int k = 0; k < p->evaluator.slots; k++)
			m->trial.at[k] += w * v->at[k];
		m->trial.delay += w * v->delay;
	}
	return true;
}

/* Which rows and columns the solution uses, or nearly. */
static void
mark_used(struct programme *m)
{
	for (int i = 0; i < m->paths.n; i++)
		if (tableau_dual(m->lp, m->first_path + i) > USED_ROW)
			m->path_used[i] = m->round;
	for (int i = 0; i < m->columns.n; i++)
		if (tableau_reduced(m->lp, m->first + i) < USED_COLUMN)
			m->column_used[i] = m->round;
}

/* Drop what was not used for some rounds: the simplex method's time is that of rows times columns. */
static void
drop_unused(struct programme *m)
{
	int rows = tableau_rows(m->lp), columns = tableau_columns(m->lp), kept = 0;
	char row[rows], column[columns];

	memset(row, 1, (size_t)rows);
	memset(column, 1, (size_t)columns);
	for (int i = 0; i < m->paths.n; i++) {
		int number = m->paths.at[i];

		if (m->path_used[i] < m->round - UNUSED_ROUNDS && tableau_can_drop_row(m->lp, m->first_path + i)) {
			row[m->first_path + i] = m->has_path[number] = 0;
			continue;
		}
		m->path_used[kept] = m->path_used[i];
		m->paths.at[kept++] = number;
	}
	m->paths.n = kept;
	kept = 0;
	for (int i = 0; i < m->columns.n; i++) {
		int number = m->columns.at[i];

		if (m->column_used[i] < m->round - UNUSED_ROUNDS && tableau_can_drop_column(m->lp, m->first + i)) {
			column[m->first + i] = m->has_column[number] = 0;
			continue;
		}
		m->column_used[kept] = m->column_used[i];
		m->columns.at[kept++] = number;
	}
	m->columns.n = kept;
	tableau_keep(m->lp, row, column);
}

/* What the next programme should begin with: rows and columns that were used of late. */
static void
keep_used(struct programme *m)
{
	struct mastered *out = m->out;

	out->paths.n = out->columns.n = 0;
	out->paths.at = xreallocarray(out->paths.at, (size_t)m->paths.n, sizeof(int));
	out->columns.at = xreallocarray(out->columns.at, (size_t)m->columns.n, sizeof(int));
	for (int i = 0; i < m->paths.n; i++)
		if (m->path_used[i] > m->round - KEEP_ROUNDS)
			out->paths.at[out->paths.n++] = m->paths.at[i];
	for (int i = 0; i < m->columns.n; i++)
		if (m->column_used[i] > m->round - KEEP_ROUNDS)
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
	struct programme m = { .pool = pool, .p = p, .patterns = patterns, .out = &out };
	int look = 2 * SLOW_ROUNDS;
	double before;

	open_programme(&m, weight, layer_price, paths, columns, g->horizon);
	before = out.bound;
	for (int r = 0; r < g->rounds && !out.converged && out.bound < fmin(g->horizon, g->enough); r++) {
		static const double parts[] = { 0.6, 0 };
		double value, longest;
		int longer[PATHS_A_ROUND], n;
		bool news = false;

		if (!clock_left(g->deadline))
			break;
		if (!tableau_solve(m.lp, g->deadline))
			break;
		value = tableau_value(m.lp) * m.ms;
		tableau_solution(m.lp, m.x);
		read_solution(&m);
		m.round = r + 1;
		mark_used(&m);
		keep_used(&m);
		for (size_t i = 0; i < sizeof parts / sizeof parts[0] && out.bound < g->horizon; i++)
			if (read_weights(&m, parts[i]))
				news |= price(&m, g->horizon);
		read_plan(&m);
		n = find_longer(&m, m.x[0] * m.ms, &longest, longer);
		for (int i = 0; i < n; i++)
			news |= join_path(&m, longer[i]);
		out.converged = !news || fmax(value, longest) <= out.bound * (1 + g->close);
		out.work += WORK_AN_OPERATION * p->evaluator.noperations;
		if (m.round % DROP_EVERY == 0)
			drop_unused(&m);
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
	out.work += WORK_A_COEFFICIENT * tableau_work(m.lp);
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
