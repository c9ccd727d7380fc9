/* Pattern borders: choices are enumerated, and dynamic programming tests each choice. */
#include "pattern_borders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "node_bounds.h"

enum {
	CHOICES_MAX = 20000,
	LOOKS_MAX = 1 << 25,		/* maximum number of tests whether a choice allows a pattern */
	STATES_WORK = 1 << 23,		/* maximum work for one choice: states times sums of layers, over all stages */
};

static const double FEW = 0.4;	/* fraction of choices with a plan above which borders do not help to bound nodes */

/* The choice being tested. */
struct border_choice {
	struct patterns *patterns;
	int last;			/* the last body, for which the maximum number of layers is placed */
	struct node_bounds bounds;	/* bounds of the borders only */
	int *n;				/* [stages], number of sums */
	int **sum;			/* [stages][n][bodies], maximal combinations of layers that a stage can hold */
	int *layers;			/* [bodies], scratch */
	/* [stages][patterns], whether some choice that may have a plan uses the pattern */
	bool **used;
	/* number of states: combinations of the layers placed of all bodies except the last */
	double states;
	int *most, *next;		/* [states], layers placed of the last body; -1: the state cannot be reached */
};

static void
sum_layers(const struct problem *p, const struct pattern *d, int *layers)
{
	memset(layers, 0, (size_t)p->net->nbodies * sizeof *layers);
	for (int v = 0; v < p->chunks; v++)
		for (int b = 0; b < p->net->nbodies; b++)
			layers[b] += p->contents.content[d->content[v]].body[b];
}

static bool
no_more(const int *a, const int *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] > b[i])
			return false;
	return true;
}

/*
 * Add the layers of a pattern to sum[], unless another entry has at least as many layers of every body. Remove the
 * entries that it dominates.
 */
static void
add_sum(struct border_choice *c, int stage, const int *layers)
{
	int bodies = c->last + 1, *sum = c->sum[stage], n = 0;

	for (int i = 0; i < c->n[stage]; i++)
		if (no_more(layers, &sum[i * bodies], bodies))
			return;
	for (int i = 0; i < c->n[stage]; i++)
		if (!no_more(&sum[i * bodies], layers, bodies))
			memmove(&sum[n++ * bodies], &sum[i * bodies], (size_t)bodies * sizeof *sum);
	c->sum[stage] = sum = array_room(sum, (size_t)n, (size_t)bodies * sizeof *sum);
	memcpy(&sum[n * bodies], layers, (size_t)bodies * sizeof *sum);
	c->n[stage] = n + 1;
}

/* Return whether a pattern respects the borders, and has the last layer of each body in the chosen piece. */
static bool
allowed(const struct border_choice *c, int stage, int pattern)
{
	const struct problem *p = c->patterns->problem;
	const int *content = c->patterns->pattern[stage][pattern].content;

	for (int b = 0; b < c->last; b++) {
		int piece = p->piece[(int)c->bounds.border[b].low];

		if (piece % p->stages == stage && p->contents.content[content[piece / p->stages]].body[b] == 0)
			return false;
	}
	return node_allows_contents(p, &c->bounds, stage, content);
}

/*
 * List the sums of every stage. Return false if a stage has no pattern, or if all stages together have too few layers
 * of a body.
 */
static bool
list_sums(struct border_choice *c)
{
	const struct problem *p = c->patterns->problem;
	int needed[c->last + 1];

	for (int b = 0; b <= c->last; b++)
		needed[b] = p->net->body[b].layers;
	for (int s = 0; s < p->stages; s++) {
		c->n[s] = 0;
		for (int i = 0; i < c->patterns->n[s]; i++)
			if (allowed(c, s, i)) {
				sum_layers(p, &c->patterns->pattern[s][i], c->layers);
				add_sum(c, s, c->layers);
			}
		if (c->n[s] == 0)
			return false;
		for (int b = 0; b <= c->last; b++) {
			const int *sum = c->sum[s] + b;
			int most = 0;

			for (int i = 0; i < c->n[s]; i++)
				most = sum[i * (c->last + 1)] > most ? sum[i * (c->last + 1)] : most;
			needed[b] -= most;
		}
	}
	for (int b = 0; b <= c->last; b++)
		if (needed[b] > 0)
			return false;
	return true;
}

/* Return the state after placing LAYERS[bodies] more layers. Excess layers of a body count as all its layers. */
static size_t
state_after(const struct border_choice *c, const int *placed, const int *layers)
{
	size_t state = 0;

	for (int b = 0; b < c->last; b++) {
		int all = c->patterns->problem->net->body[b].layers, n = placed[b] + layers[b];

		state = state * ((size_t)all + 1) + (size_t)(n < all ? n : all);
	}
	return state;
}

/* Update most[] for the stages up to STAGE, from most[] for the stages before it. */
static void
place_stage(struct border_choice *c, int stage)
{
	const struct problem *p = c->patterns->problem;
	int placed[c->last + 1], *swap;
	size_t states = (size_t)c->states;

	for (size_t i = 0; i < states; i++)
		c->next[i] = -1;
	for (size_t i = 0; i < states; i++) {
		size_t rest = i;

		if (c->most[i] < 0)
			continue;
		for (int b = c->last; b-- > 0; ) {
			placed[b] = (int)(rest % ((size_t)p->net->body[b].layers + 1));
			rest /= (size_t)p->net->body[b].layers + 1;
		}
		for (int k = 0; k < c->n[stage]; k++) {
			const int *sum = &c->sum[stage][k * (c->last + 1)];
			int *to = &c->next[state_after(c, placed, sum)], most = c->most[i] + sum[c->last];

			*to = most > *to ? most : *to;
		}
	}
	swap = c->most;
	c->most = c->next;
	c->next = swap;
}

/*
 * Return whether the stages can hold at least all layers of every body. Return true also if the test would take too
 * long.
 */
static bool
may_have_plan(struct border_choice *c)
{
	const struct problem *p = c->patterns->problem;
	double work = 0;

	if (!list_sums(c))
		return false;
	for (int s = 0; s < p->stages; s++)
		work += c->n[s] * c->states;
	if (work > STATES_WORK)
		return true;
	if (c->most == NULL) {
		c->most = xcalloc((size_t)c->states, sizeof *c->most);
		c->next = xcalloc((size_t)c->states, sizeof *c->next);
	}
	for (size_t i = 0; i < (size_t)c->states; i++)
		c->most[i] = i == 0 ? 0 : -1;
	for (int s = 0; s < p->stages; s++)
		place_stage(c, s);
	return c->most[(size_t)c->states - 1] >= p->net->body[c->last].layers;
}

/*
 * List all choices for the borders from BORDER on. CHOICE[borders] has the choices of the earlier borders. Return false
 * if the choices are too many.
 */
static bool
list_choices(const struct problem *p, struct pattern_borders *b, int border, int *choice)
{
	int layers = 0;

	if (border == b->borders) {
		b->at = array_room(b->at, (size_t)b->n, (size_t)b->borders * sizeof *b->at);
		memcpy(&b->at[b->n++ * b->borders], choice, (size_t)b->borders * sizeof *choice);
		return b->n < CHOICES_MAX;
	}
	for (int i = 0; i <= border; i++)
		layers += p->net->body[i].layers;
	/*
	 * Try the pieces that may hold the last layer of the body, and leave enough layers for the pieces before and
	 * after.
	 */
	for (int at = border > 0 ? choice[border - 1] : 0; at < p->pieces; at++) {
		choice[border] = at;
		if (p->needed[at] < layers && needed_behind(p, at) <= p->net->layers - layers &&
		    !list_choices(p, b, border + 1, choice))
			return false;
	}
	return true;
}

/* Keep only the choices that may have a plan, tested until the deadline. */
static void
keep_possible(struct pattern_borders *b, struct border_choice *c)
{
	const struct patterns *patterns = c->patterns;
	int n = b->n;

	b->n = 0;
	for (int i = 0; i < n; i++) {
		const int *at = &b->at[i * b->borders];

		for (int k = 0; k < b->borders; k++)
			c->bounds.border[k] = (struct range){ at[k], at[k] };
		if (clock_left(patterns->deadline) && !may_have_plan(c))
			continue;
		memmove(&b->at[b->n++ * b->borders], at, (size_t)b->borders * sizeof *at);
		for (int s = 0; s < patterns->problem->stages; s++)
			for (int k = 0; k < patterns->n[s]; k++)
				c->used[s][k] = c->used[s][k] || allowed(c, s, k);
	}
}

static void
drop_unused(const struct border_choice *c)
{
	for (int s = 0; s < c->patterns->problem->stages; s++) {
		double *least = xcalloc((size_t)c->patterns->n[s] + 1, sizeof *least);

		for (int i = 0; i < c->patterns->n[s]; i++)
			least[i] = c->used[s][i] ? 0 : INFINITY;
		patterns_drop(c->patterns, s, least, 0, INFINITY);
		free(least);
	}
}

static struct border_choice
choice_new(struct patterns *patterns)
{
	const struct problem *p = patterns->problem;
	size_t stages = (size_t)p->stages;
	struct border_choice c = { .patterns = patterns, .last = p->net->nbodies - 1, .bounds = node_bounds_new(p,
	    NULL),
		.states = 1 };

	for (int b = 0; b < c.last; b++)
		c.states *= p->net->body[b].layers + 1.0;
	c.n = xcalloc(stages, sizeof *c.n);
	c.sum = xcalloc(stages, sizeof *c.sum);
	c.used = xcalloc(stages, sizeof *c.used);
	for (int s = 0; s < p->stages; s++)
		c.used[s] = xcalloc((size_t)patterns->n[s] + 1, sizeof **c.used);
	c.layers = xcalloc((size_t)p->net->nbodies, sizeof *c.layers);
	return c;
}

static void
choice_free(struct border_choice *c)
{
	for (int s = 0; s < c->patterns->problem->stages; s++) {
		free(c->sum[s]);
		free(c->used[s]);
	}
	node_bounds_free(&c->bounds);
	free(c->n);
	free(c->sum);
	free(c->used);
	free(c->layers);
	free(c->most);
	free(c->next);
}

struct pattern_borders
pattern_borders_new(struct patterns *patterns)
{
	const struct problem *p = patterns->problem;
	struct pattern_borders b = { .borders = p->net->nbodies - 1 };
	int *choice = xcalloc((size_t)b.borders + 1, sizeof *choice);
	double looks = 0;
	int of;

	b.known = b.borders > 0 && p->chunks > 1 && patterns->alternatives == NULL && list_choices(p, &b, 0, choice);
	for (int s = 0; s < p->stages; s++)
		looks += (double)patterns->n[s] * b.n;
	b.known &= looks <= LOOKS_MAX;
	of = b.n;
	if (b.known) {
		struct border_choice c = choice_new(patterns);

		keep_possible(&b, &c);
		b.known = b.n <= FEW * of;
		if (b.known)
			drop_unused(&c);
		choice_free(&c);
	}
	free(choice);
	return b;
}

void
pattern_borders_free(struct pattern_borders *b)
{
	free(b->at);
	*b = (struct pattern_borders){ 0 };
}

bool
pattern_borders_shrink(const struct pattern_borders *b, struct range *border)
{
	struct range *least = b->known ? ranges_new(b->borders, NULL) : NULL;
	bool any = !b->known;

	for (int i = 0; i < b->n && b->known; i++) {
		const int *at = &b->at[i * b->borders];
		bool within = true;

		for (int k = 0; k < b->borders; k++)
			within &= at[k] >= border[k].low && at[k] <= border[k].high;
		for (int k = 0; k < b->borders && within; k++) {
			least[k].low = any ? fmin(least[k].low, at[k]) : at[k];
			least[k].high = any ? fmax(least[k].high, at[k]) : at[k];
		}
		any |= within;
	}
	for (int k = 0; k < b->borders && b->known && any; k++)
		border[k] = least[k];
	free(least);
	return any;
}

bool
pattern_borders_none(const struct problem *p, double raise, double deadline)
{
	struct problem raised = *p;
	struct patterns patterns;
	struct pattern_borders b = { 0 };
	bool none = false;

	if (p->chunks == 1 || p->net->nbodies == 1)
		return false;
	raised.limit = xcalloc((size_t)p->stages, sizeof *raised.limit);
	for (int s = 0; s < p->stages; s++)
		raised.limit[s] = p->limit[s] + raise;
	patterns = patterns_that_fit(&raised, deadline);
	if (patterns.complete) {
		b = pattern_borders_new(&patterns);
		none = b.known && b.n == 0;
	}
	pattern_borders_free(&b);
	patterns_free(&patterns);
	free(raised.limit);
	return none;
}
