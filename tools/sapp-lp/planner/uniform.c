/*
 * Uniform plans need one planning for each choice of recomputation. With more layers recomputed a plan needs less
 * memory: if none fits with N, none fits with fewer. It also takes more time, if layers without recomputation count no
 * more than recomputed ones: then a bound without memory limits for N holds for all larger N. Bisection finds the least
 * N that fits, then N grows while that bound is below the best step. If recomputed layers may keep more than others,
 * any N may fit, and all are tried. When time runs out, the untried choices count with a quick bound, so that the least
 * of all bounds, search.lower and the best plan's own, is a bound on every choice.
 */
#include "uniform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/model/weights.h"
#include "lib/schedule/scheme.h"
#include "lib/target/target.h"
#include "sapp-lp/bound/load_bound.h"
#include "sapp-lp/bound/order_bound.h"
#include "known.h"

/* Limits of problems built within some 10 ms, even when time is over. */
enum { QUICK_OPERATIONS = 100000, QUICK_CONTENTS = 10000 };
enum { OWN_NUMBERS = -1 };		/* in place of a number of layers that all pieces recompute */
static const double shares = 8;		/* of the time that is left, for one run */
static const double roomy = 1e12;	/* MB, no limit at all */

struct uniform_choice {			/* of recomputation, and its plan */
	enum recompute kind;
	struct network *net;	/* the problem keeps its address */
	struct problem problem;
	double load;		/* ms, load_bound(): on all plans within the limits */
	struct answer answer;
};

struct search {
	const struct network *net;
	const struct uniform_question *q;
	const struct effort *effort;
	double end;		/* clock_now() */
	struct uniform_choice best;	/* problem.net NULL: none yet */
	double lower;		/* ms, bound on every choice that was tried, but for the best */
	double excess;		/* MB, the least by which any choice exceeds the limits; INFINITY: none counted yet */
	double least;		/* ms, order_bound() of all kinds: whatever the choice */
	int most;		/* layers of a piece that can be recomputed as a whole */
	bool lightens;		/* a layer that is recomputed as a whole takes no more memory than another */
	struct answer wrong;	/* answer_fault() of a choice, with which the search ends; else of zeros */
};

/* Is it done to all layers, or not at all? */
static bool
of_all(enum recompute kind)
{
	return kind != RECOMPUTE_NONE && kind != RECOMPUTE_FULL;
}

/*
 * The network with one kind of recomputation, in the first LAYERS layers of a piece, or of_all(). OWN_NUMBERS: every
 * piece recomputes its own number of layers as a whole.
 */
static struct network *
restrict_kinds(const struct network *net, const struct uniform_question *q, enum recompute kind, int layers)
{
	struct network *r = xcalloc(1, sizeof *r);

	*r = *net;
	r->body = xcalloc((size_t)net->nbodies, sizeof *r->body);
	memcpy(r->body, net->body, (size_t)net->nbodies * sizeof *r->body);
	for (int b = 0; b < net->nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS && net->body[b].side == 0; k++)
			r->body[b].has[k] &= k == (int)kind || (k == RECOMPUTE_NONE && kind == RECOMPUTE_FULL);
	r->first_only = !of_all(kind) && layers != OWN_NUMBERS;
	r->first_layers = r->first_only ? layers : 0;
	if (q->even)
		r->piece_layers = net->layers / (q->shape->stages * q->shape->chunks);
	/* Only where any layers are recomputed by their numbers are those that predict further tokens among them. */
	for (int b = 0; b < net->nbodies && layers == OWN_NUMBERS && q->listed; b++)
		if (target_predicts(net->body[b].name) && r->body[b].has[RECOMPUTE_NONE])
			r->body[b].has[RECOMPUTE_FULL] = false;
	while (r->first_bodies < net->nbodies && (net->body[r->first_bodies].side != 0 ||
	    q->layers == UNIFORM_ALL_OR_NONE || !target_predicts(net->body[r->first_bodies].name)))
		r->first_bodies++;
	return r;
}

static void
network_drop(struct network *net)
{
	if (net != NULL)
		free(net->body);
	free(net);
}

static void
choice_free(struct uniform_choice *c)
{
	if (c->problem.net != NULL) {
		answer_free(&c->answer);
		problem_free(&c->problem);
	}
	network_drop(c->net);
	*c = (struct uniform_choice){ 0 };
}

static void
run(struct search *s, struct uniform_choice *c, struct list memory, double parts)
{
	struct effort effort = *s->effort;
	struct candidate plan;
	double left = fmax(s->end - clock_now(), 0);

	/* One kind in all layers needs no lists, which may have no words for it. */
	c->problem = problem_new(c->net, s->q->shape, s->q->devices, memory, !of_all(c->kind) && s->q->listed);
	c->load = load_bound(&c->problem, true, s->end);
	effort.seconds = fmax(left / parts, 0.01);
	plan = candidate_new(&c->problem);
	effort.known = known_plan(s->q->known, s->q->asked, &c->problem, &plan) ? &plan : NULL;
	effort.bound = 0;	/* s->effort's is of all choices together */
	c->answer = planner_solve(&c->problem, &effort);
	candidate_free(&plan);
	c->answer.lower_bound = fmax(c->answer.lower_bound, c->load);
	if (c->answer.lower_bound > c->answer.step_time) {
		s->wrong = (struct answer){ .step_time = c->answer.step_time, .lower_bound = c->answer.lower_bound };
		s->end = 0;
	}
}

static void
plan_choice(struct search *s, struct uniform_choice *c, enum recompute kind, int layers, double parts)
{
	c->kind = kind;
	c->net = restrict_kinds(s->net, s->q, kind, layers);
	run(s, c, s->q->memory, parts);
}

/* No plan of this choice exceeds the limits by less, nor does one of choices that take more memory. */
static void
count_excess(struct search *s, const struct uniform_choice *c)
{
	if (c->answer.step_time == INFINITY)
		s->excess = fmin(s->excess, fmax(c->answer.excess.at_least, 0));
}

static bool
better(const struct answer *a, const struct answer *b)
{
	if (a->step_time < INFINITY || b->step_time < INFINITY)
		return a->step_time < b->step_time;
	return a->excess.mb < b->excess.mb;
}

/* Into BEST if it is; the choice that is left over counts with its bound, if a plan fits, and is freed. */
static void
take(struct search *s, struct uniform_choice *c)
{
	if (s->best.problem.net == NULL || better(&c->answer, &s->best.answer)) {
		struct uniform_choice other = s->best;

		s->best = *c;
		*c = other;
	}
	if (c->problem.net != NULL && c->answer.step_time < INFINITY)
		s->lower = fmin(s->lower, c->answer.lower_bound);
	choice_free(c);
}

/*
 * Limit the backward parts of layers that keep everything to those of recomputed ones: then N layers take no longer
 * than more of them. Return whether that changes any.
 */
static bool
shorten(struct network *net)
{
	bool any = false;

	for (int b = 0; b < net->nbodies; b++) {
		struct body *l = &net->body[b];
		double *backward = l->backward, *more = l->weight_more, rest, was = backward[RECOMPUTE_NONE];

		if (!l->has[RECOMPUTE_NONE] || !l->has[RECOMPUTE_FULL])
			continue;
		l->weight = body_weight(l);
		l->weighed = true;
		rest = fmin(backward[RECOMPUTE_NONE] - more[RECOMPUTE_NONE],
		    backward[RECOMPUTE_FULL] - more[RECOMPUTE_FULL]);
		any |= more[RECOMPUTE_FULL] < more[RECOMPUTE_NONE];
		more[RECOMPUTE_NONE] = fmin(more[RECOMPUTE_NONE], more[RECOMPUTE_FULL]);
		backward[RECOMPUTE_NONE] = fmin(backward[RECOMPUTE_NONE], rest + more[RECOMPUTE_NONE]);
		any |= backward[RECOMPUTE_NONE] < was;
	}
	return any;
}

/* A bound on the step with N layers of each piece recomputed, or more, whatever the memory. */
static double
bound_without_limits(struct search *s, enum recompute kind, int layers)
{
	double mb = roomy, bound;
	struct uniform_choice c = { .kind = kind, .net = restrict_kinds(s->net, s->q, kind, layers) };

	/* An order that is made for the times of layers that keep everything would be another one. */
	if (shorten(c.net) && schedule_scheme(s->q->shape->kind)->timed) {
		choice_free(&c);
		return s->least;
	}
	c.problem = problem_new(c.net, s->q->shape, s->q->devices, (struct list){ 1, &mb }, !of_all(kind));
	bound = load_bound(&c.problem, false, s->end);
	/* That may be enough; else the planner finds a better one. */
	if (bound < s->best.answer.step_time && clock_left(s->end)) {
		problem_free(&c.problem);
		run(s, &c, (struct list){ 1, &mb }, shares);
		bound = fmax(bound, c.answer.lower_bound);
	}
	choice_free(&c);
	return bound;
}

/* Do the same for RECOMPUTE_FULL; s->least when time is over. Used after trying a number. */
static double
bound_of(struct search *s, int layers)
{
	const struct problem *p = &s->best.problem;
	bool quick = p->evaluator.noperations < QUICK_OPERATIONS && p->contents.ncontents < QUICK_CONTENTS;

	return quick || clock_left(s->end) ? bound_without_limits(s, RECOMPUTE_FULL, layers) : s->least;
}

/*
 * Return a bound on the step of plans that recompute N layers or more of each piece, with any mix of these kinds within
 * the limits.
 */
static double
bound_of_any(struct search *s, int layers)
{
	double bound = bound_without_limits(s, RECOMPUTE_FULL, layers);
	struct uniform_choice c = { .kind = RECOMPUTE_FULL };

	c.net = restrict_kinds(s->net, s->q, RECOMPUTE_FULL, layers);
	c.net->first_only = false;
	run(s, &c, s->q->memory, shares);
	if (c.answer.step_time < INFINITY || c.answer.excess.at_least <= 0)
		bound = fmax(bound, c.answer.lower_bound);
	choice_free(&c);
	return bound;
}

/* Can no plan with N layers be better than the best? Its bound counts then. */
static bool
pruned(struct search *s, int layers)
{
	struct uniform_choice c = { .net = restrict_kinds(s->net, s->q, RECOMPUTE_FULL, layers) };
	double bound;

	c.problem = problem_new(c.net, s->q->shape, s->q->devices, s->q->memory, true);
	bound = load_bound(&c.problem, true, s->end);
	choice_free(&c);
	if (bound < s->best.answer.step_time)
		return false;
	s->lower = fmin(s->lower, bound);
	return true;
}

/* Return whether a plan fits. PROVED: none can. Keeps the plan and the proof. */
static bool
try(struct search *s, int layers, bool *proved)
{
	struct uniform_choice c = { 0 };
	struct problem any;
	bool fits;

	plan_choice(s, &c, layers > 0 ? RECOMPUTE_FULL : RECOMPUTE_NONE, layers, shares);
	any = c.problem;
	any.net = s->net;
	s->least = order_bound(&any);
	fits = c.answer.step_time < INFINITY;
	*proved = !fits && (c.answer.excess.at_least > 0 || c.load == INFINITY);
	if (layers == s->most || !s->lightens)
		count_excess(s, &c);
	take(s, &c);
	return fits;
}

/* Fully recompute FROM to MOST layers of each piece, while that may be better than the best. */
static void
search_from(struct search *s, int from, int most)
{
	bool proved;

	for (int n = from; n <= most; n++) {
		double bound = bound_of(s, n);

		if (bound >= s->best.answer.step_time) {
			s->lower = fmin(s->lower, bound);
			return;
		}
		/* Without time left the bound is all that can be said of the rest. */
		if (!clock_left(s->end)) {
			s->lower = fmin(s->lower, bound);
			s->excess = s->lightens ? s->excess : 0;
			return;
		}
		if (s->best.answer.step_time < INFINITY && pruned(s, n))
			continue;
		if (!try(s, n, &proved) && !proved)
			s->lower = fmin(s->lower, bound);
	}
}

/* Does a layer that is recomputed keep no more than another, for its W neither? */
static bool
lightens(const struct network *net)
{
	for (int b = 0; b < net->nbodies; b++) {
		const struct body *l = &net->body[b];

		if (l->side == 0 && (l->kept_more[RECOMPUTE_FULL] > l->kept_more[RECOMPUTE_NONE] ||
		    l->activation[RECOMPUTE_FULL] > l->activation[RECOMPUTE_NONE]))
			return false;
	}
	return true;
}

/*
 * Fully recompute 0 to MOST layers of each piece. One number is tried in any case; for the untried only s->least holds.
 */
static void
search_numbers(struct search *s)
{
	/* None was found with LOW; none exists with PROVEN. */
	int most = s->most, low = -1, proven = -1, high = most + 1;
	bool proved;

	if (!s->lightens) {
		if (!try(s, most, &proved) && !proved)
			s->lower = fmin(s->lower, bound_of(s, most));
		search_from(s, 0, most - 1);
		return;
	}
	/* First try none, in any case: if that fits it is the fastest. */
	if (try(s, 0, &proved)) {
		high = 0;
	} else {
		proven = proved ? 0 : -1;
		low = 0;
	}
	while (high - low > 1 && (high > most || clock_left(s->end))) {
		int middle = high > most ? most : (low + high) / 2;

		if (try(s, middle, &proved)) {
			high = middle;
		} else {
			if (proved)
				proven = middle;
			low = middle;
		}
	}
	if (proven < high - 1)	/* something between may fit after all */
		s->lower = fmin(s->lower, clock_left(s->end) ? bound_of_any(s, proven + 1) : bound_of(s, proven + 1));
	search_from(s, high + 1, most);
}

/* The best once more, with all the time that is left. */
static void
finish(struct search *s)
{
	struct uniform_choice c = { 0 };

	if (s->best.answer.step_time == INFINITY || answer_gap(&s->best.answer) <= s->effort->gap ||
	    !clock_left(s->end))
		return;
	c.kind = s->best.kind;
	c.net = restrict_kinds(s->net, s->q, c.kind, s->best.net->first_only ? s->best.net->first_layers : OWN_NUMBERS);
	run(s, &c, s->q->memory, 1);
	c.answer.lower_bound = fmax(c.answer.lower_bound, s->best.answer.lower_bound);
	s->best.answer.lower_bound = INFINITY;	/* the same choice, counted once */
	take(s, &c);
}

static bool
all_have(const struct network *net, enum recompute kind, int bodies)
{
	for (int b = 0; b < bodies; b++)
		if (net->body[b].side == 0 && !net->body[b].has[kind])
			return false;
	return true;
}

/* Has every BODY layer one of these kinds, one that predicts further tokens none but the first where lists say it? */
static bool
all_have_any(const struct network *net, unsigned kinds, bool listed)
{
	bool every = true;

	for (int b = 0; b < net->nbodies; b++) {
		bool any = net->body[b].side != 0;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			any |= (kinds >> k & 1) && net->body[b].has[k] && (k == RECOMPUTE_NONE || !listed ||
			    !target_predicts(net->body[b].name));
		every &= any;
	}
	return every;
}

/* One choice and its bound, with a PARTS-th of the time that is left. */
static void
try_choice(struct search *s, enum recompute kind, int layers, double parts)
{
	struct uniform_choice c = { 0 };

	plan_choice(s, &c, kind, layers, parts);
	count_excess(s, &c);
	if (c.answer.step_time == INFINITY && c.answer.excess.at_least <= 0 && c.load < INFINITY)
		s->lower = fmin(s->lower, clock_left(s->end) && of_all(kind) ? bound_without_limits(s, kind, 0) :
		    fmax(order_bound(&c.problem), c.load));
	take(s, &c);
}

/* The choice that the shortest plan known has. */
static void
try_known(struct search *s)
{
	const struct plan *known = known_shortest(s->q->known, s->q->asked, s->net);
	struct uniform_choice c = { 0 };
	struct uniform u;

	/* One that this target runs. */
	if (known == NULL || s->q->layers == UNIFORM_ALL_OR_NONE || s->q->layers == UNIFORM_OWN ||
	    !uniform_of(known, s->q->kinds, &u) || (of_all(u.kind) && !all_have(s->net, u.kind, s->net->nbodies)))
		return;
	plan_choice(s, &c, u.kind, of_all(u.kind) ? 0 : u.layers, shares);
	take(s, &c);
}

/* Layers as a whole: the same number in every piece, all or none, or a number for each piece. */
static void
try_whole(struct search *s, double parts)
{
	bool proved;

	if (s->q->layers == UNIFORM_OWN) {
		if (all_have_any(s->net, 1u << RECOMPUTE_NONE | (s->q->kinds & 1u << RECOMPUTE_FULL),
		    s->q->listed))
			try_choice(s, s->q->kinds >> RECOMPUTE_FULL & 1 ? RECOMPUTE_FULL : RECOMPUTE_NONE, OWN_NUMBERS,
			    parts);
	} else if (!all_have(s->net, RECOMPUTE_NONE, s->net->nbodies)) {
		/* If the memory of layers that keep everything is unknown, recompute all or none. */
		if (s->most > 0 && !try(s, s->most, &proved) && !proved)
			s->lower = fmin(s->lower, bound_of(s, s->most));
	} else if (s->q->layers == UNIFORM_ALL_OR_NONE) {
		for (int n = 0; n <= s->most; n += s->most > 0 ? s->most : 1)
			if (!try(s, n, &proved) && !proved)
				s->lower = fmin(s->lower, bound_of(s, n));
	} else {
		search_numbers(s);
	}
}

struct answer
uniform_solve(struct problem *p, struct network **restricted, const struct network *net,
    const struct uniform_question *q, const struct effort *effort)
{
	struct search s = { .net = net, .q = q, .effort = effort, .end = clock_now() + effort->seconds,
	    .lower = INFINITY, .excess = INFINITY, .lightens = lightens(net) || q->layers == UNIFORM_OWN,
	    .most = network_most(net, q->shape->stages * q->shape->chunks) };
	struct network *ends = restrict_kinds(net, q, RECOMPUTE_FULL, s.most);
	struct answer answer;
	int left = 1;

	try_known(&s);
	for (int k = RECOMPUTE_NONE + 1; k < RECOMPUTE_KINDS; k++)
		left += of_all((enum recompute)k) && (q->kinds >> k & 1) &&
		    all_have(net, (enum recompute)k, net->nbodies);
	for (int k = RECOMPUTE_NONE + 1; k < RECOMPUTE_KINDS; k++)
		if (of_all((enum recompute)k) && (q->kinds >> k & 1) &&
		    all_have(net, (enum recompute)k, net->nbodies))
			try_choice(&s, (enum recompute)k, 0, q->layers == UNIFORM_OWN ? 1 + left-- : shares);
	if (!(q->kinds >> RECOMPUTE_FULL & 1) || !all_have(net, RECOMPUTE_FULL, ends->first_bodies))
		s.most = 0;
	try_whole(&s, left > 1 ? 2 : 1);
	if (s.best.problem.net == NULL)
		place_die(net->place, "no kind of recomputation that all pieces can have alike has figures for all "
		    "layers");
	finish(&s);
	*restricted = s.best.net;
	*p = s.best.problem;
	answer = s.best.answer;
	if (answer.step_time < INFINITY) {
		answer.lower_bound = fmax(fmin(s.lower, answer.lower_bound), effort->bound);
		answer.told = effort->bound;
		answer_grade(&answer);
	} else {
		answer.excess.at_least = fmin(answer.excess.mb, s.excess < INFINITY ? s.excess : 0);
	}
	if (s.wrong.lower_bound > 0) {
		answer.step_time = s.wrong.step_time;
		answer.lower_bound = s.wrong.lower_bound;
	}
	network_drop(ends);
	return answer;
}
