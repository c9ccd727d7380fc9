/*
 * Ordered tree: branch and bound over where the kinds of layers meet, within the ordered relaxation.  That is over
 * means of layouts, which may have their borders in different pieces; a node restricts each border to a range of
 * pieces.  Where more rounds hardly raise its bound, a node is divided where its layers cross a border.  Every plan
 * lies in some node.
 */
#ifndef ORDERED_TREE_H
#define ORDERED_TREE_H

#include "border_tree.h"
#include "ordered.h"

struct ordered_tree;

struct ordered_tree *ordered_tree_new(const struct problem *);	/* NULL: as ordered_new() */
void ordered_tree_free(struct ordered_tree *);
/* As ordered_run(), the node with the least bound first. */
void ordered_tree_run(struct ordered_tree *, const struct relaxed *from, double horizon, long rounds, double deadline);
double ordered_tree_bound(const struct ordered_tree *);	/* ms, below every plan, or the horizon it was found for */
/*
 * Its nodes, with the means of paths that prove them, of FROM's problem and where they have none its weight. False, and
 * TO as it was: it has none.
 */
bool ordered_tree_nodes(const struct ordered_tree *, const struct relaxed *from, struct border_tree *to);
bool ordered_tree_slow(const struct ordered_tree *);		/* the last rounds hardly raised it */
bool ordered_tree_done(const struct ordered_tree *, double horizon);	/* and more hardly would */
double ordered_tree_work(const struct ordered_tree *);		/* as ordered_work() */

#endif
