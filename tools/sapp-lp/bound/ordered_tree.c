/* Ordered tree: nodes are gone on with in turn, and divided. */
#include "ordered_tree.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/model/tuning.h"

enum {
	TURN = 32,		/* rounds of a node before it is another's turn, if that has the least bound then */
	TURNS = 4,		/* of a node, after which it is asked whether they raised its bound */
};
static const double HARDLY = 2e-4;	/* relatively, in those */

struct node {
	struct stand *at;
	double before;		/* ms, the bound when that was last asked */
	int turns;		/* since then */
};

struct ordered_tree {
	struct ordered *ordered;
	int n;
	struct node *node;	/* [n], every plan is in one of them, or not below the horizon */
	double closed;		/* ms, the least bound of those that are closed */
	bool slow;
};

static void
add_node(struct ordered_tree *t, struct stand *at)
{
	if ((t->n & (t->n - 1)) == 0)	/* room doubles at powers of two */
		t->node = xreallocarray(t->node, 2 * (size_t)t->n + 1, sizeof *t->node);
	t->node[t->n++] = (struct node){ .at = at };
}

struct ordered_tree *
ordered_tree_new(const struct problem *p)
{
	struct ordered *ordered = ordered_new(p);
	struct ordered_tree *t;

	if (ordered == NULL)
		return NULL;
	t = xcalloc(1, sizeof *t);
	*t = (struct ordered_tree){ .ordered = ordered, .closed = INFINITY };
	add_node(t, stand_new(ordered));
	return t;
}

void
ordered_tree_free(struct ordered_tree *t)
{
	for (int i = 0; i < t->n; i++)
		stand_free(t->node[i].at);
	free(t->node);
	ordered_free(t->ordered);
	free(t);
}

/* The node with the least bound of those that more rounds may raise; -1: none. */
static int
least_open(const struct ordered_tree *t, double horizon)
{
	int at = -1;

	for (int i = 0; i < t->n; i++)
		if (!stand_done(t->node[i].at, horizon) &&
		    (at < 0 || stand_bound(t->node[i].at) < stand_bound(t->node[at].at)))
			at = i;
	return at;
}

static void
divide(struct ordered_tree *t, int node, int border, int last)
{
	struct stand *from = t->node[node].at;
	struct range within = stand_borders(from)[border];

	add_node(t, stand_part(t->ordered, from, border, (struct range){ last + 1, within.high }));
	t->node[node] = (struct node){ .at = stand_part(t->ordered, from, border, (struct range){ within.low, last }) };
	stand_free(from);
}

/* What becomes of a node after a turn: closed, when no plan within it is shorter than the horizon; or divided. */
static void
finish(struct ordered_tree *t, int at, double horizon)
{
	struct node *n = &t->node[at];
	double bound = stand_bound(n->at);
	int border, last;

	if (bound >= horizon) {
		t->closed = fmin(t->closed, bound);
		stand_free(n->at);
		*n = t->node[--t->n];
		return;
	}
	if (++n->turns < TURNS)
		return;
	n->turns = 0;
	t->slow = bound < n->before * (1 + HARDLY);
	n->before = bound;
	if (t->slow && tuning.ordered_division && stand_crossed(t->ordered, n->at, &border, &last))
		divide(t, at, border, last);
}

void
ordered_tree_run(struct ordered_tree *t, const struct relaxed *from, double horizon, long rounds, double deadline)
{
	int at;

	for (; rounds > 0 && clock_left(deadline) && (at = least_open(t, horizon)) >= 0; rounds -= TURN) {
		ordered_run(t->ordered, t->node[at].at, from, horizon, rounds < TURN ? rounds : TURN, deadline);
		finish(t, at, horizon);
	}
}

double
ordered_tree_bound(const struct ordered_tree *t)
{
	double bound = t->closed;

	for (int i = 0; i < t->n; i++)
		bound = fmin(bound, stand_bound(t->node[i].at));
	return bound;
}

bool
ordered_tree_nodes(const struct ordered_tree *t, const struct relaxed *from, struct border_tree *to)
{
	for (int i = 0; i < t->n; i++) {
		const struct stand *at = t->node[i].at;
		const struct visits *weight = stand_weight(at);

		border_tree_add(to, stand_bound(at), stand_borders(at), weight != NULL ? weight : &from->weight, false);
		to->terms = fmax(to->terms, stand_terms(t->ordered, at));
	}
	return t->n > 0;
}

bool
ordered_tree_slow(const struct ordered_tree *t)
{
	return t->slow;
}

bool
ordered_tree_done(const struct ordered_tree *t, double horizon)
{
	return least_open(t, horizon) < 0;
}

double
ordered_tree_work(const struct ordered_tree *t)
{
	return ordered_work(t->ordered);
}
