/* Capacity bound: linear programmes give the capacities of stages, and their duals are the proof. */
#include "capacity_bound.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/model/tier.h"

static const double STEP = 1e-7;	/* MB, interval at which the bisection of the raise ends */
static const double ROUNDING = 1e-14;	/* rounding of a sum of hundreds of terms, relative to the terms */

static void
set_worths(struct capacity_bound *l)
{
	const struct problem *p = l->p;
	double live = 0;

	for (int s = 0; s < p->stages; s++)
		for (int v = 0; v < p->chunks; v++)
			live += p->evaluator.rows[s].live[v] / (double)p->pieces;
	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->net->body[b];

		l->worth[b] = p->net->nbodies == 1 ? 1 : body->parameter + live * body_least_activation(body);
		l->needed += l->worth[b] * body->layers;
	}
}

/*
 * The linear programme of a stage's capacity over n[chunk * bodies + body], layers of each body in each chunk:
 *
 *   maximise sum of worth * n,  at least its fewest layers in every chunk,  memory of every row <= room
 *
 * With one body a layer is worth 1. With several, any positive worths give a valid bound; worths near to a layer's
 * memory give a tight bound. The room is set by capacity().
 */
static struct lp *
programme(const struct capacity_bound *l, int stage)
{
	const struct problem *p = l->p;
	const struct rows *rows = &p->evaluator.rows[stage];
	int bodies = p->net->nbodies, n = p->chunks * bodies;
	struct lp *lp = lp_new(n);

	for (int i = 0; i < n; i++) {
		lp_set_cost(lp, i + 1, -l->worth[i % bodies]);
		lp_set_upper(lp, i + 1, p->net->body[i % bodies].layers);
	}
	for (int v = 0; v < p->chunks; v++) {
		for (int b = 0; b < bodies; b++)
			lp_put(lp, v * bodies + b + 1, 1);
		lp_end_row(lp, LP_AT_LEAST, p->fewest[v * p->stages + stage]);
	}
	for (int r = 0; r < rows->n; r++) {
		for (int i = 0; i < n; i++)
			lp_put(lp, i + 1, row_least(p, stage, r, i / bodies, i % bodies));
		lp_end_row(lp, LP_AT_MOST, 0);
	}
	return lp;
}

/*
 * Return whether even the minimum number of layers in every chunk, with the lightest kind, needs more than ROOM MB in
 * some row.
 */
static bool
too_little(const struct capacity_bound *l, int stage, double room)
{
	const struct rows *rows = &l->p->evaluator.rows[stage];

	for (int r = 0; r < rows->n; r++) {
		double sum = 0;

		for (int v = 0; v < l->p->chunks; v++) {
			double least = INFINITY;

			for (int b = 0; b < l->p->net->nbodies; b++)
				least = fmin(least, row_least(l->p, stage, r, v, b));
			sum += l->p->fewest[v * l->p->stages + stage] * least;
		}
		if (sum + l->transient[stage][r] > room)
			return true;
	}
	return false;
}

/*
 * Return an upper bound on the worth of the layers that a stage can hold in ROOM MB. Return -INFINITY if not even the
 * minimum number of layers fits.
 *
 * The bound follows from the solver's multipliers by weak duality, so it does not rely on the solver's tolerances. For
 * any multipliers of the right sign, the maximum of the Lagrangian over 0 <= n <= layers of the body is above every
 * solution. ROUNDING of its terms is added for floating point. With one body the bound is rounded down to whole layers.
 */
static double
capacity(const struct capacity_bound *l, int stage, double room)
{
	const struct problem *p = l->p;
	const struct rows *rows = &p->evaluator.rows[stage];
	struct lp *lp = l->lp[stage];
	int bodies = p->net->nbodies, n = p->chunks * bodies;
	double dual[1 + p->chunks + rows->n + n], bound = 0, terms = 0;
	const double *chunk = dual + 1, *row = chunk + p->chunks, *transient = l->transient[stage];

	if (too_little(l, stage, room))
		return -INFINITY;
	for (int r = 0; r < rows->n; r++)
		lp_set_right(lp, 1 + p->chunks + r, room - transient[r]);
	if (lp_solve(lp) != LP_OPTIMAL || !lp_duals(lp, dual))
		return l->needed;
	for (int v = 0; v < p->chunks; v++)
		bound -= fmax(chunk[v], 0) * p->fewest[v * p->stages + stage];
	terms -= bound;
	for (int r = 0; r < rows->n; r++) {
		bound += fmax(-row[r], 0) * (room - transient[r]);
		terms += fabs(row[r]) * (fabs(room) + fabs(transient[r]));
	}
	for (int i = 0; i < n; i++) {
		double gain = l->worth[i % bodies] + fmax(chunk[i / bodies], 0),
		    layers = p->net->body[i % bodies].layers;

		terms += gain * layers;
		for (int r = 0; r < rows->n; r++)
			gain -= fmax(-row[r], 0) * row_least(p, stage, r, i / bodies, i % bodies);
		bound += fmax(gain, 0) * layers;
	}
	bound += ROUNDING * terms;
	return bodies == 1 ? floor(bound) : bound;
}

bool
capacity_too_small(const struct capacity_bound *l, double raise)
{
	const struct problem *p = l->p;
	double sum = 0;

	for (int s = 0; s < p->stages; s++)
		sum += capacity(l, s, proof_limit(p, s) + raise - stage_ends(p, s));
	return sum < l->needed * (1 - 1e-9);
}

struct capacity_bound
capacity_bound_new(const struct problem *p)
{
	struct capacity_bound l = { .p = p, .lp = xcalloc((size_t)p->stages, sizeof *l.lp) };

	l.worth = xcalloc((size_t)p->net->nbodies, sizeof *l.worth);
	l.transient = xcalloc((size_t)p->stages, sizeof *l.transient);
	set_worths(&l);
	for (int s = 0; s < p->stages; s++) {
		l.transient[s] = xcalloc((size_t)p->evaluator.rows[s].n + 1, sizeof **l.transient);
		for (int r = 0; r < p->evaluator.rows[s].n; r++)
			l.transient[s][r] = row_least_transient(p, s, r);
		l.lp[s] = programme(&l, s);
	}
	return l;
}

void
capacity_bound_free(struct capacity_bound *l)
{
	for (int s = 0; s < l->p->stages; s++) {
		lp_free(l->lp[s]);
		free(l->transient[s]);
	}
	free(l->lp);
	free(l->transient);
	free(l->worth);
	*l = (struct capacity_bound){ 0 };
}

double
capacity_least_raise(const struct capacity_bound *l, double enough, double deadline)
{
	double low = l->p->net->constant - 1, high = enough, most = 0;

	for (int s = 0; s < l->p->stages; s++)
		most = fmax(most, l->p->limit[s]);
	low -= most;
	if (!capacity_too_small(l, low))
		return -INFINITY;
	/* First check whether any plan fits at all, because the deadline may end the bisection. */
	if (high > 2 * MEMORY_SLACK && capacity_too_small(l, 2 * MEMORY_SLACK))
		low = 2 * MEMORY_SLACK;
	while (high - low > STEP && clock_left(deadline)) {
		double middle = (low + high) / 2;

		if (!(middle > low && middle < high))
			break;
		if (capacity_too_small(l, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* A stage that is being filled with layers of the only body. */
struct filling {
	const struct capacity_bound *l;
	const struct rows *rows;
	const double *transient;	/* [rows], MB in use only while a piece runs */
	double room;		/* MB that layers may take */
	int *layers;		/* [chunks], number of layers in each chunk */
	int stage;
	int all;		/* sum of layers[] */
};

/* Return the MB left in the fullest row; negative: the layers are too many. */
static double
left(const struct filling *f)
{
	double most = 0;

	for (int r = 0; r < f->rows->n; r++) {
		double sum = f->transient[r];

		for (int v = 0; v < f->l->p->chunks; v++)
			sum += f->layers[v] * row_least(f->l->p, f->stage, r, v, 0);
		most = fmax(most, sum);
	}
	return f->room - most;
}

/* Add MORE layers to a chunk and return the MB left in the fullest row. */
static double
put(struct filling *f, int chunk, int more)
{
	f->layers[chunk] += more;
	return left(f);
}

static int
fewest(const struct filling *f, int chunk)
{
	return f->l->p->fewest[chunk * f->l->p->stages + f->stage];
}

/*
 * Add a layer to the stage, in the chunk that leaves most memory. If the layer fits in no chunk, take a layer from one
 * chunk and add two layers to other chunks. Return false if no such exchange fits.
 */
static bool
fill_one(struct filling *f)
{
	int n = f->l->p->chunks, most = f->l->p->contents.most, add = -1;
	double best = 0;

	for (int a = 0; a < n; a++) {
		double room = put(f, a, 1);

		if (f->layers[a] <= most && room >= best) {
			best = room;
			add = a;
		}
		f->layers[a]--;
	}
	if (add >= 0) {
		f->layers[add]++;
		return true;
	}
	for (int a = 0; a < n; a++)
		for (int b = 0; b < n && f->layers[a] > fewest(f, a); b++)
			for (int c = b; c < n && a != b; c++) {
				if (c == a)
					continue;
				f->layers[a]--;
				f->layers[b]++;
				if (put(f, c, 1) >= 0 && f->layers[b] <= most && f->layers[c] <= most)
					return true;
				f->layers[a]++;
				f->layers[b]--;
				f->layers[c]--;
			}
	return false;
}

/* Fill the stage with up to MOST layers, starting from the programme's solution rounded down. */
static bool
fill(struct filling *f, int most)
{
	const double *x;
	int n = f->l->p->chunks;

	if (capacity(f->l, f->stage, f->room) == -INFINITY || (x = lp_solution(f->l->lp[f->stage])) == NULL)
		return false;
	f->all = 0;
	for (int v = 0; v < n; v++) {
		f->layers[v] = (int)fmin(fmax(floor(x[v] + 1e-9), fewest(f, v)), f->l->p->contents.most);
		f->all += f->layers[v];
	}
	/* Remove the layers above MOST, and the layers that do not fit because chunks were rounded up. */
	for (int v = 0; v < n; v++)
		for (; f->layers[v] > fewest(f, v) && (f->all > most || left(f) < 0); f->all--)
			f->layers[v]--;
	if (left(f) < 0)
		return false;
	while (f->all < most && fill_one(f))
		f->all++;
	return true;
}

bool
capacity_fill(const struct capacity_bound *l, double raise, int *layers)
{
	const struct problem *p = l->p;
	int each[p->chunks], needed = p->net->layers;

	for (int s = 0; s < p->stages; s++) {
		struct filling f = { .l = l, .rows = &p->evaluator.rows[s], .transient = l->transient[s],
			.layers = each, .stage = s,
			.room = p->limit[s] + raise + MEMORY_SLACK / 2 - stage_ends(p, s) };
		int others = 0;		/* layers of the later stages */

		for (int t = s + 1; t < p->stages; t++)
			others += stage_fewest(p, t);
		if (!fill(&f, needed - others))
			return false;
		for (int v = 0; v < p->chunks; v++)
			layers[v * p->stages + s] = each[v];
		needed -= f.all;
	}
	return needed == 0;
}
