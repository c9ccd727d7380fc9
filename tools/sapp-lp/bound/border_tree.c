/* Branch and bound over the borders between kinds of layers. */
#include "border_tree.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"

void
border_tree_add(struct border_tree *t, double bound, const struct range *border, const struct visits *weight,
    bool divisible)
{
	struct border_node *n;

	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 16;
		t->node = xreallocarray(t->node, (size_t)t->room, sizeof *t->node);
	}
	n = &t->node[t->n++];
	*n = (struct border_node){ .bound = bound, .border = ranges_new(t->p->net->nbodies - 1, border),
		.weight = visits_new(t->p), .divisible = divisible };
	visits_copy(t->p, &n->weight, weight);
}

static void
node_free(struct border_node *n)
{
	free(n->border);
	free(n->weight.at);
}

/* The two halves of a node whose solution crosses a border; itself again when it crosses none. */
static void
divide(struct border_tree *t, double bound, const struct range *border, const struct relaxed *r)
{
	struct range *half = ranges_new(t->p->net->nbodies - 1, border);
	double last;
	int at;

	if (borders_crossed(t->p, r->layers, &at, &last)) {
		half[at].high = last;
		border_tree_add(t, bound, half, &r->weight, true);
		half[at] = (struct range){ last + 1, border[at].high };
		border_tree_add(t, bound, half, &r->weight, true);
	} else
		border_tree_add(t, bound, border, &r->weight, false);
	free(half);
}

struct border_tree
border_tree_new(const struct problem *p, const struct relaxed *root)
{
	struct border_tree t = { .p = p };
	struct range *all = ranges_new(p->net->nbodies - 1, NULL);

	if (root->rounds > 0)
		divide(&t, root->bound, all, root);
	else
		border_tree_add(&t, root->bound, all, &root->weight, false);
	free(all);
	return t;
}

/* The node with the least bound, -1: none can be divided that is below HORIZON. */
static int
least(const struct border_tree *t, double horizon)
{
	int at = -1;

	for (int i = 0; i < t->n; i++)
		if (t->node[i].divisible && t->node[i].bound < horizon &&
		    (at < 0 || t->node[i].bound < t->node[at].bound))
			at = i;
	return at;
}

bool
border_tree_open(const struct border_tree *t, double horizon)
{
	return least(t, horizon) >= 0;
}

void
border_tree_grow(struct border_tree *t, struct relaxation *relaxation, double horizon, double deadline)
{
	int at;

	while ((at = least(t, horizon)) >= 0 && clock_left(deadline)) {
		struct border_node n = t->node[at];
		struct relaxed r = relaxation_solve(relaxation, n.border, horizon, 0, deadline);

		t->work += r.work;
		if (r.rounds > 0) {
			t->node[at] = t->node[--t->n];
			if (r.converged)
				divide(t, fmax(n.bound, r.bound), n.border, &r);
			else
				border_tree_add(t, fmax(n.bound, r.bound), n.border, &r.weight, false);
			node_free(&n);
		} else
			t->node[at].divisible = false;
		relaxed_free(&r);
	}
}

double
border_tree_bound(const struct border_tree *t)
{
	double bound = INFINITY;

	for (int i = 0; i < t->n; i++)
		bound = fmin(bound, t->node[i].bound);
	return bound;
}

void
border_tree_free(struct border_tree *t)
{
	for (int i = 0; i < t->n; i++)
		node_free(&t->node[i]);
	free(t->node);
	*t = (struct border_tree){ 0 };
}
