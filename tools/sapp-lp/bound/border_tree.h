/*
 * Border tree: branch and bound over where the kinds of layers meet.  The linear programme of relaxation.h does not ask
 * for the model's order of layers, so it may place a later kind before an earlier one.  A node restricts each border
 * between two kinds to a range of pieces, columns outside being fixed at 0; a solution that crosses a border divides
 * the range there into two.  Invariant: every plan lies in some node, so the least bound of all nodes, ms, is a bound
 * on every plan.  It has the error of the relaxation's bounds, which is taken off there, and assumes no more than they.
 */
#ifndef BORDER_TREE_H
#define BORDER_TREE_H

#include "relaxation.h"

struct border_node {		/* the plans whose borders lie within ranges */
	double bound;		/* ms, a lower bound on them */
	struct range *border;	/* [bodies - 1] */
	struct visits weight;	/* a mean of paths that is good for them: of this node's solution, or its parent's */
	bool divisible;		/* its own programme was not solved yet: its bound is its parent's */
};

struct border_tree {
	const struct problem *p;
	int n, room;
	struct border_node *node;	/* [n], every plan is in one of them */
	double work;		/* so far, as in relaxed */
	double terms;		/* whose rounding is in the weights, beside that of a mean of the relaxation's paths */
};

/* ROOT: the relaxation's solution without borders. */
struct border_tree border_tree_new(const struct problem *, const struct relaxed *root);
/*
 * Solve and divide nodes, those with the least bounds first, until none is left whose bound is below HORIZON, ms, that
 * could be divided, or until DEADLINE (s of clock.h).
 */
void border_tree_grow(struct border_tree *, struct relaxation *, double horizon, double deadline);
/* A node: see there; the ranges and the weight are copied. */
void border_tree_add(struct border_tree *, double bound, const struct range *border, const struct visits *weight,
    bool divisible);
bool border_tree_open(const struct border_tree *, double horizon);	/* is there something left to divide? */
double border_tree_bound(const struct border_tree *);	/* ms, a lower bound on every plan */
void border_tree_free(struct border_tree *);

#endif
