/* Lower bound of the step time over all plans of a configuration, with any placement and any recomputation. */
#ifndef BOUND_H
#define BOUND_H

#include "layer_cost.h"

/* Return the bound in seconds. It excludes the time of a step outside the pipeline. */
double bound_below(const struct architecture *, const struct configuration *, const struct costs *);

/*
 * Times of one micro-batch, s, each the sum of forward and backward. Layers do not include the embedding and the head.
 */
struct bound_work {
	double all;			/* all layers, the embedding and the head */
	double most, least;		/* longest layer, shortest layer */
	double first, last;		/* first layer, last layer */
	double embedding, head;
	bool alone;			/* any piece may be empty; first, last and least are then 0 */
	bool ends_alone;		/* only the first and the last piece may be empty; first and last are then 0 */
};
double bound_of(const struct configuration *, const struct bound_work *);

#endif
