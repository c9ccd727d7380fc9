/*
 * Uniform plans need a separate planning for each choice of recomputation. If more layers are recomputed, a plan needs
 * less memory: if no plan fits with N layers, none fits with fewer.
 *
 * The plan also takes more time, if layers without recomputation are counted as no slower than recomputed layers. Then
 * a bound without memory limits for N holds for all larger N. Bisection finds the least N that fits. Then N grows while
 * this bound is below the best step.
 *
 * If recomputed layers may keep more memory than other layers, any N may fit, and all are tried. When the time ends, a
 * quick bound is used for each untried choice. So the least of all bounds, of search.lower and of the best plan, is a
 * bound over all choices.
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

/* Maximum sizes of problems that are built even after the deadline, because that takes only some 10 ms. */
enum { QUICK_OPERATIONS = 100000, QUICK_CONTENTS = 10000 };
enum { OWN_NUMBERS = -1 };		/* stands for a number of layers: each piece has its own number */
static const double shares = 8;		/* one run takes the remaining time divided by this */
static const double roomy = 1e12;	/* MB, limit that restricts nothing */

struct uniform_choice {			/* a choice of recomputation, and its plan */
	enum recompute kind;
	struct network *net;	/* the problem refers to this address */
	struct problem problem;
	double load;		/* ms, load_bound(): bound on all plans within the limits */
	struct answer answer;
};

struct search {
	const struct network *net;
	const struct uniform_question *q;
	const struct effort *effort;
	double end;		/* time of clock_now() */
	struct uniform_choice best;	/* problem.net NULL: no plan yet */
	double lower;		/* ms, bound over all choices tried except the best */
	double excess;		/* MB, least excess over the limits of all choices so far; INFINITY: none yet */
	double least;		/* ms, order_bound() with all kinds, valid for every choice */
	int most;		/* maximum number of layers of a piece that can be fully recomputed */
	bool lightens;		/* a fully recomputed layer takes no more memory than another layer */
	struct answer wrong;	/* the answer with an answer_fault(), which ends the search; zeros: none */
};

/* Return whether a kind is used for all layers or for none. */
static bool
of_all(enum recompute kind)
{
	return kind != RECOMPUTE_NONE && kind != RECOMPUTE_FULL;
}

/*
 * Return a copy of the network with one kind of recomputation: in the first LAYERS layers of each piece, or in all
 * layers if of_all(). OWN_NUMBERS: every piece fully recomputes its own number of layers. Free with network_drop().
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
	/* With a number per piece and lists, layers that predict further tokens are not recomputed. */
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

	/* One kind in all layers needs no lists, which may be unable to express the kind. */
	c->problem = problem_new(c->net, s->q->shape, s->q->devices, memory, !of_all(c->kind) && s->q->listed);
	c->load = load_bound(&c->problem, true, s->end);
	effort.seconds = fmax(left / parts, 0.01);
	plan = candidate_new(&c->problem);
	effort.known = known_plan(s->q->known, s->q->asked, &c->problem, &plan) ? &plan : NULL;
	effort.bound = 0;	/* the bound in s->effort is for all choices together */
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

/*
 * Record the excess of a choice. No plan of this choice has less excess, nor has any plan of the choices that take more
 * memory.
 */
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

/* Make the choice the best if it is better. The other choice is freed; if a plan fits, its bound is recorded. */
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
 * Limit the backward parts of layers without recomputation to the parts of recomputed layers. Then recomputing N layers
 * takes no longer than recomputing more. Return whether that changes any part.
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

/* Return a bound on the step with N or more layers of each piece recomputed, without memory limits. */
static double
bound_without_limits(struct search *s, enum recompute kind, int layers)
{
	double mb = roomy, bound;
	struct uniform_choice c = { .kind = kind, .net = restrict_kinds(s->net, s->q, kind, layers) };

	/* A timed schedule makes its order from these times: changed times would give another order. */
	if (shorten(c.net) && schedule_scheme(s->q->shape->kind)->timed) {
		choice_free(&c);
		return s->least;
	}
	c.problem = problem_new(c.net, s->q->shape, s->q->devices, (struct list){ 1, &mb }, !of_all(kind));
	bound = load_bound(&c.problem, false, s->end);
	/* This bound may suffice; otherwise the planner finds a better one. */
	if (bound < s->best.answer.step_time && clock_left(s->end)) {
		problem_free(&c.problem);
		run(s, &c, (struct list){ 1, &mb }, shares);
		bound = fmax(bound, c.answer.lower_bound);
	}
	choice_free(&c);
	return bound;
}

/*
 * Return this bound for RECOMPUTE_FULL, or s->least when the time is over. A number of layers must have been tried
 * before.
 */
static double
bound_of(struct search *s, int layers)
{
	const struct problem *p = &s->best.problem;
	bool quick = p->evaluator.noperations < QUICK_OPERATIONS && p->contents.ncontents < QUICK_CONTENTS;

	return quick || clock_left(s->end) ? bound_without_limits(s, RECOMPUTE_FULL, layers) : s->least;
}

/*
 * Return a bound on the step of plans with at least N layers of each piece recomputed, over any mix of these kinds
 * within the limits.
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

/* Return whether no plan with N layers can be better than the best plan. If so, record its bound. */
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

/*
 * Try LAYERS recomputed layers, and return whether a plan fits. *PROVED: it is proved that no plan fits. Records the
 * plan and its bound.
 */
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

/* Try full recomputation of FROM to MOST layers of each piece, while it may give a better plan. */
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
		/* When the time is over, only the bound is known for the remaining numbers. */
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

/*
 * Return whether a fully recomputed layer keeps at most the memory that a layer without recomputation keeps, for its W
 * also.
 */
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
 * Try full recomputation of 0 to MOST layers of each piece. One number is always tried. For numbers that are not tried,
 * only s->least is a bound.
 */
static void
search_numbers(struct search *s)
{
	/* LOW: no plan was found with this number; PROVEN: it is proved that none exists. */
	int most = s->most, low = -1, proven = -1, high = most + 1;
	bool proved;

	if (!s->lightens) {
		if (!try(s, most, &proved) && !proved)
			s->lower = fmin(s->lower, bound_of(s, most));
		search_from(s, 0, most - 1);
		return;
	}
	/* Always try 0 first, because it is the fastest choice if it fits. */
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
	if (proven < high - 1)	/* a number between these may fit */
		s->lower = fmin(s->lower, clock_left(s->end) ? bound_of_any(s, proven + 1) : bound_of(s, proven + 1));
	search_from(s, high + 1, most);
}

/* Plan the best choice again with all the remaining time. */
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
	s->best.answer.lower_bound = INFINITY;	/* this choice must count only once */
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

/*
 * Return whether every BODY layer has one of these kinds. With lists, a layer that predicts further tokens may have
 * only the first kind.
 */
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

/* Try one choice in 1 / PARTS of the remaining time, and record its bound. */
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

/* Try the choice that the shortest known plan has. */
static void
try_known(struct search *s)
{
	const struct plan *known = known_shortest(s->q->known, s->q->asked, s->net);
	struct uniform_choice c = { 0 };
	struct uniform u;

	/* Only a choice that the target runs is tried. */
	if (known == NULL || s->q->layers == UNIFORM_ALL_OR_NONE || s->q->layers == UNIFORM_OWN ||
	    !uniform_of(known, s->q->kinds, &u) || (of_all(u.kind) && !all_have(s->net, u.kind, s->net->nbodies)))
		return;
	plan_choice(s, &c, u.kind, of_all(u.kind) ? 0 : u.layers, shares);
	take(s, &c);
}

/*
 * Try full recomputation: with the same number of layers in every piece, with all or none, or with a number for each
 * piece.
 */
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
		/* If the memory of layers without recomputation is unknown, recompute all layers or none. */
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
		place_die(net->place, "no kind of recomputation that all pieces can use has figures for all layers");
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
