/*
 * Start: a first plan that fits, by lists of patterns where those are short, else by greedy filling; or the least
 * excess, by going through all layouts, dynamic programming, or local search.
 */
#include "start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/bound/capacity_bound.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/exact/layouts.h"
#include "sapp-lp/exact/stage_dp.h"
#include "greedy.h"
#include "recompute_greedy.h"
#include "repair.h"
#include "rows.h"

enum {
	LISTED_STATES = 1 << 18,	/* of dynamic programming, up to which it looks for the least excess */
	TRIES = 300000,			/* layouts begun, to go through all of them */
	PROOF_TRIES = 10000000,		/* the same to prove that none fits */
	QUICK_MOVES = 400000,		/* to make a plan fit that nearly does */
	TURN_MOVES = 50000,		/* of one walk before it is the next one's turn */
	PROOF_TURN = 60,		/* when a proof that none fits is tried */
	STALE_TURNS = 40,		/* of each without a better plan, after which they end if none fits */
	WALKS = 3,
};
static const double LONGER = 0.05;	/* part of the shortest step by which those of others are longer, at most */
/* Parts of the time there is, by the end of which it ... */
static const double FIRST_PART = 0.1;		/* has looked for a plan where one is found quickly, */
static const double PROOF_PART = 0.2;		/* has tried to prove that none fits, */
static const double EXCESS_PART = 0.6;		/* knows what it says if none does, */
static const double LAST_PART = 0.95;		/* gives up */

/*
 * Choose the mixes of a plan: each stage's chunks by the same share, the least that fits. False: a stage does not
 * fit.
 */
static bool
settle(const struct problem *p, struct candidate *c)
{
	int content[p->chunks], mix[p->chunks];

	for (int s = 0; s < p->stages; s++) {
		for (int v = 0; v < p->chunks; v++)
			content[v] = c->content[v * p->stages + s];
		if (!recompute_evenly(p, s, content, mix))
			return false;
		for (int v = 0; v < p->chunks; v++)
			c->mix[v * p->stages + s] = mix[v];
	}
	return true;
}

/* The plan that comes nearest to its limits of those tried. */
struct nearest {
	const struct problem *p;
	struct excess e;
	struct candidate plan;		/* set when e.mb is less than INFINITY */
	int *layers;			/* [pieces], of the plan */
};

static struct nearest
nearest_new(const struct problem *p)
{
	return (struct nearest){ .p = p, .e = { .mb = INFINITY, .at_least = -INFINITY }, .plan = candidate_new(p),
		.layers = xcalloc((size_t)p->pieces, sizeof(int)) };
}

static void
nearest_free(struct nearest *n)
{
	candidate_free(&n->plan);
	free(n->layers);
}

static void
read_layers(const struct problem *p, const struct candidate *c, int *layers)
{
	for (int i = 0; i < p->pieces; i++)
		layers[i] = p->contents.content[c->content[i]].layers;
}

/* A plan with its layers in the model's order. True when it comes nearer. */
static bool
nearest_take(struct nearest *n, const struct candidate *c)
{
	int stage;
	double mb = overload(n->p, c, &stage);

	if (mb >= n->e.mb)
		return false;
	n->e.mb = mb;
	n->e.stage = stage;
	candidate_copy(n->p, &n->plan, c);
	read_layers(n->p, c, n->layers);
	return true;
}

static bool
nearest_take_layers(struct nearest *n, const int *layers)
{
	struct candidate c = candidate_new(n->p);
	bool nearer = candidate_lay_out(n->p, layers, &c) && nearest_take(n, &c);

	candidate_free(&c);
	return nearer;
}

/* Is it known that there is nothing nearer, or that this is near enough? */
static bool
nearest_known(const struct nearest *n)
{
	return n->e.mb <= fmax(n->e.at_least + excess_close(n->p), MEMORY_SLACK);
}

static void
even_layers(const struct problem *p, int *layers)
{
	int left;

	for (int n = 0; n < p->pieces; n++)
		layers[n] = p->net->layers / p->pieces + (n < p->net->layers % p->pieces);
	if (p->net->layers >= p->pieces)
		return;
	/* Too few for all: those that need one have one, and then the first of the model. */
	left = p->net->layers - p->needed[p->pieces];
	for (int n = 0; n < p->pieces; n++) {
		bool more = p->fewest[p->piece[n]] == 0 && left > 0;

		layers[p->piece[n]] = p->fewest[p->piece[n]] + more;
		left -= more;
	}
}

/* Contents so large that a plan may need them whose layers are even; whatever the limits are, they are the same. */
static struct problem
problem_for_any(const struct problem *p)
{
	struct candidate even = candidate_new(p);
	int layers[p->pieces], stage;
	double raise = INFINITY;

	even_layers(p, layers);
	if (candidate_lay_out(p, layers, &even))
		raise = overload(p, &even, &stage);
	candidate_free(&even);
	return problem_wider(p, raise);
}

/*
 * With one chunk a stage no plan exceeds by less: where kinds differ in what waits for W, than by what greedy filling
 * says, which goes by a lower bound.
 */
static void
find_dealt_least(struct nearest *n)
{
	int layers[n->p->pieces];
	double raise = greedy_memory(n->p, layers), close = excess_close(n->p) / 2;

	if (raise < INFINITY && nearest_take_layers(n, layers) && n->p->chunks == 1)
		n->e.at_least = n->p->holds && n->e.mb > raise + close ? raise - close : n->e.mb;
}

/*
 * The least excess by dynamic programming over lists of patterns of at most MOST layers a stage. MOST is raised until
 * the patterns left out would exceed by more than the least found, which is then a lower bound on every plan: it does
 * not depend on the layers' order. Where kinds differ in what waits for W, the same of lower bounds is. LAYERS[pieces]
 * are those of the plan found, which may not be in order.
 */
static bool
find_listed_least(struct nearest *n, double deadline, int *layers)
{
	const struct problem *p = n->p;
	struct candidate found = candidate_new(p);
	int most = (p->net->layers + p->stages - 1) / p->stages + 1, stage = 0;
	double nearest = INFINITY;
	bool more = true;

	for (; more; most += most / 4 + 1) {
		struct patterns c = patterns_list(p, false, most);
		double least = stage_dp_excess(&c, &found, &stage), larger = c.whole ? INFINITY : -INFINITY;

		/*
		 * A stage with more than MOST layers exceeds its limit by at least as much as its lightest pattern of
		 * MOST.
		 */
		for (int s = 0; s < p->stages && !c.complete; s++)
			for (int i = 0; i < c.n[s]; i++)
				if (c.pattern[s][i].layers == most)
					larger = fmin(larger, stage_excess_floor(p, s, c.pattern[s][i].content));
		if (least < nearest) {
			nearest = least;
			read_layers(p, &found, layers);
			if (candidate_placed(p, &found))
				nearest_take(n, &found);
		}
		if (least < INFINITY && (c.complete || larger >= least))
			n->e.at_least = fmax(n->e.at_least, p->holds ? stage_dp_excess_floor(&c) : least);
		more = c.whole && !c.complete && most <= p->net->layers && larger < least && clock_left(deadline);
		patterns_free(&c);
	}
	candidate_free(&found);
	return nearest < INFINITY;
}

/* A better lower bound on the excess, by capacities; and with one body better plans, by bisection between the two. */
static void
tighten(struct nearest *n, const struct capacity_bound *l, double deadline)
{
	const struct problem *p = n->p;
	int layers[p->pieces];
	double low, raise;

	n->e.at_least = fmax(n->e.at_least, capacity_least_raise(l, n->e.mb, deadline));
	raise = low = n->e.at_least;
	while (p->net->nbodies == 1 && isfinite(low) && n->e.mb - low > excess_close(p) / 2 && n->e.mb > MEMORY_SLACK) {
		if (!capacity_fill(l, raise, layers) || !nearest_take_layers(n, layers))
			low = raise;
		raise = (low + n->e.mb) / 2;
		if (!clock_left(deadline))
			break;
	}
}

/* Does none fit? There are not too many layouts to know. */
static void
prove_none(struct nearest *n, double deadline)
{
	int layers[n->p->pieces];
	double close = excess_close(n->p), mb = close;

	if (!layouts_least(n->p, PROOF_TRIES, deadline, MEMORY_SLACK, &mb, layers))
		return;
	if (mb < close)
		nearest_take_layers(n, layers);
	else
		n->e.at_least = fmax(n->e.at_least, mb);
}

/*
 * Walks from several plans, in turns.  The limits decide where they end, but not where they go.  What is said when none
 * fits was found by EXCESS_PART of the time; the rest is for a plan that fits: so a limit that is said to work is found
 * to, when it is asked for, by a machine that is slower by as much.
 */
static void
walk(struct nearest *n, int walks, struct repair *const repair[], double begun, double deadline)
{
	double seconds = deadline - begun, counted = begun + EXCESS_PART * seconds, last = begun + LAST_PART * seconds;
	struct candidate c = candidate_new(n->p);
	bool more = walks > 0;
	int stage;

	for (int turn = 0, stale = 0; more && n->e.mb > MEMORY_SLACK; turn++) {
		bool counts = turn < walks || clock_left(counted), proved = n->e.at_least > MEMORY_SLACK;
		struct repair *w = repair[turn % walks];
		double mb;

		if (turn == PROOF_TURN && !proved) {
			prove_none(n, begun + PROOF_PART * seconds);
			proved = n->e.at_least > MEMORY_SLACK;
		}
		repair_run(w, TURN_MOVES, MEMORY_SLACK, counts ? counted : last);
		mb = repair_best(w, &c, &stage);
		stale = mb < n->e.mb ? 0 : stale + 1;
		if (mb < INFINITY && (counts || mb <= MEMORY_SLACK))
			nearest_take(n, &c);
		more = turn + 1 < walks || clock_left(proved ? counted : last);
		more = more && !(proved && stale >= STALE_TURNS * walks);
	}
	candidate_free(&c);
}

/* Go through all layouts, if they are not too many, and there is time. */
static void
find_laid_out_least(struct nearest *n, double deadline)
{
	int layers[n->p->pieces];
	double mb = n->e.mb;
	bool all = layouts_least(n->p, TRIES, deadline, MEMORY_SLACK, &mb, layers);

	if (mb < n->e.mb)
		nearest_take_layers(n, layers);
	if (all && n->e.mb < INFINITY)
		n->e.at_least = n->p->holds ? fmin(mb, n->e.mb) : n->e.mb;
}

/* With several chunks a stage, or where greedy filling goes by a lower bound on memory. */
static void
find_least(struct nearest *n, const struct capacity_bound *l, double begun, double deadline)
{
	const struct problem *p = n->p;
	int layers[WALKS + 1][p->pieces], walks = 0;
	double counted = begun + EXCESS_PART * (deadline - begun);
	struct repair *repair[WALKS];

	even_layers(p, layers[walks]);
	nearest_take_layers(n, layers[walks++]);
	if (greedy_memory(p, layers[walks]) < INFINITY)
		nearest_take_layers(n, layers[walks++]);
	if (p->net->nbodies == 1 && capacity_fill(l, 0, layers[WALKS]))
		nearest_take_layers(n, layers[WALKS]);
	if (!nearest_known(n) && p->net->nbodies == 1)
		tighten(n, l, counted);
	if (!nearest_known(n))
		find_laid_out_least(n, counted);
	if (!nearest_known(n) && patterns_can_list(p) && stage_dp_states(p) * p->stages <= LISTED_STATES &&
	    find_listed_least(n, counted, layers[walks]))
		walks++;
	if (!nearest_known(n) && p->net->nbodies > 1)
		tighten(n, l, counted);
	for (int i = 0; i < walks; i++)
		repair[i] = repair_new(p, layers[i], NULL);
	if (!nearest_known(n))
		walk(n, walks, repair, begun, deadline);
	for (int i = 0; i < walks; i++)
		repair_free(repair[i]);
}

/* A plan from lists of patterns of at most MOST layers a stage, MOST being raised until one is found. */
static bool
find_listed(const struct problem *p, double deadline, struct candidate *out)
{
	int most = (p->net->layers + p->stages - 1) / p->stages + 1, stage;
	bool found = false, last = false;

	for (; !found && !last; most += most / 4 + 1) {
		struct patterns c = patterns_list(p, true, most);

		found = stage_dp_balance(&c, out) &&
		    (candidate_placed(p, out) || repair(p, QUICK_MOVES, deadline, out, &stage) <= MEMORY_SLACK) &&
		    settle(p, out);
		last = c.complete || most > p->net->layers || !clock_left(deadline);
		patterns_free(&c);
	}
	return found;
}

/* A plan by greedy filling; to balance it is worth all the time there is, as it is what all others begin from. */
static bool
find_dealt(const struct problem *p, double first, double deadline, struct candidate *out)
{
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers), stage;
	bool found = greedy_time(p, deadline, layers) && candidate_lay_out(p, layers, out) &&
	    repair(p, QUICK_MOVES, first, out, &stage) <= MEMORY_SLACK && settle(p, out);

	free(layers);
	return found;
}

/* Whether it can be seen quickly that no plan fits; with one chunk a stage it always can. */
static bool
hopeless(const struct problem *p, const struct capacity_bound *l)
{
	struct nearest n;
	bool over;

	if (p->chunks > 1)
		return capacity_too_small(l, 0);
	n = nearest_new(p);
	find_dealt_least(&n);
	over = (p->holds ? n.e.at_least : n.e.mb) > MEMORY_SLACK;
	nearest_free(&n);
	return over;
}

/* Every layer of a plan recomputed as far as it goes; the excess of that, which may be more than was thought. */
static void
recompute_all(const struct problem *p, struct candidate *c, struct excess *e)
{
	int content[p->chunks], mix[p->chunks];

	for (int s = 0; s < p->stages; s++) {
		double over;

		for (int v = 0; v < p->chunks; v++)
			content[v] = c->content[v * p->stages + s];
		over = stage_least_mixes(p, s, content, mix) - p->limit[s];
		for (int v = 0; v < p->chunks; v++)
			c->mix[v * p->stages + s] = mix[v];
		if (over > e->mb) {
			e->mb = over;
			e->stage = s;
		}
	}
}

/* The plan that comes nearest to its limits. True when it fits. */
static bool
find_nearest(struct problem *p, struct capacity_bound *l, double begun, double deadline, struct candidate *out,
    struct excess *e)
{
	struct problem wide = problem_for_any(p);
	struct nearest n = nearest_new(&wide);
	bool found = false;

	l->p = &wide;
	if (p->chunks == 1)
		find_dealt_least(&n);
	if (p->chunks > 1 || (p->holds && !nearest_known(&n)))
		find_least(&n, l, begun, deadline);
	*e = n.e;
	l->p = p;
	if (e->mb <= MEMORY_SLACK && candidate_lay_out(p, n.layers, out))
		found = settle(p, out);
	else if (e->mb < INFINITY) {
		candidate_copy(p, out, &n.plan);
		problem_widen(p, &wide);
		found = e->mb <= MEMORY_SLACK && settle(p, out);
	}
	if (!found && e->mb < INFINITY)
		recompute_all(p, out, e);
	nearest_free(&n);
	problem_wider_free(&wide);
	return found;
}

/* The N-th of the layouts that may be short: layers that are even, dealt out by memory, or in rows. False: none. */
static bool
other_layout(const struct problem *p, int n, double deadline, int *layers)
{
	if (n == 0)
		even_layers(p, layers);
	else if (n == 1)
		return greedy_memory(p, layers) < INFINITY;
	else
		return rows_find(p, n - 2, deadline, layers);
	return true;
}

void
starts_free(struct starts *s)
{
	for (int i = 0; i < s->n; i++)
		candidate_free(&s->plan[i]);
	free(s->plan);
}

/* Put a plan among those with steps STEP[s->n + 1], ms, of which its own is the last one. */
static void
starts_add(const struct problem *p, struct starts *s, const struct candidate *c, double *step)
{
	int at = s->n++;
	double own = step[at];

	s->plan = xreallocarray(s->plan, (size_t)s->n, sizeof *s->plan);
	for (; at > 0 && step[at - 1] > own; at--) {
		s->plan[at] = s->plan[at - 1];
		step[at] = step[at - 1];
	}
	step[at] = own;
	s->plan[at] = candidate_new(p);
	candidate_copy(p, &s->plan[at], c);
}

/*
 * OUT fits; so may other layouts with a little repair, which are tried until FIRST (both s of clock.h): the shortest is
 * taken, and OTHERS are those not much longer, that one included.
 */
static void
take_shorter(const struct problem *p, double first, double deadline, struct candidate *out, struct starts *others)
{
	struct candidate trial = candidate_new(p);
	double step[2 + ROWS_STARTS + 1];
	int *layers = xcalloc((size_t)(2 + ROWS_STARTS) * (size_t)p->pieces, sizeof *layers), stage;

	step[0] = candidate_step_time(p, out);
	starts_add(p, others, out, step);
	for (int i = 0; i < 2 + ROWS_STARTS && clock_left(i < 2 ? deadline : first); i++) {
		int *at = layers + i * p->pieces;
		bool there = other_layout(p, i, first, at);

		/* Several starts lead to the same rows. */
		for (int k = 0; k < i && there; k++)
			there = memcmp(layers + k * p->pieces, at, (size_t)p->pieces * sizeof *at) != 0;
		if (there && candidate_lay_out(p, at, &trial) &&
		    repair(p, QUICK_MOVES, first, &trial, &stage) <= MEMORY_SLACK && settle(p, &trial)) {
			step[others->n] = candidate_step_time(p, &trial);
			starts_add(p, others, &trial, step);
		}
	}
	candidate_copy(p, out, &others->plan[0]);
	while (step[others->n - 1] > (1 + LONGER) * step[0])
		candidate_free(&others->plan[--others->n]);
	free(layers);
	candidate_free(&trial);
}

bool
start_find(struct problem *p, double deadline, struct candidate *out, struct excess *e, struct starts *others)
{
	double begun = clock_now(), first = begun + FIRST_PART * (deadline - begun);
	struct capacity_bound l = capacity_bound_new(p);
	bool found = !hopeless(p, &l) &&
	    (patterns_can_list(p) ? find_listed(p, first, out) : find_dealt(p, first, deadline, out));

	if (!found)
		found = find_nearest(p, &l, begun, deadline, out, e);
	capacity_bound_free(&l);
	if (found && p->chunks > 1)
		take_shorter(p, first, deadline, out, others);
	return found;
}
