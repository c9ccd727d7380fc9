/* Lower bound of the step time over all plans of a configuration, with any placement and recomputation. */
#ifndef BOUND_H
#define BOUND_H

#include "layer_cost.h"

/* Return the bound in seconds of the pipeline alone, without the time outside the micro-batches. */
double bound_below(const struct architecture *, const struct configuration *, const struct costs *);

/* Return the bound for given times: forward + backward of layers, without the ends. */
struct bound_work {
	double all;			/* all layers and both ends */
	double most, least;		/* times of the longest and the shortest layer */
	double first, last;		/* times of the first and the last layer */
	double embedding, head;
	bool alone;			/* pieces may be empty: first, last and least are 0 */
	bool ends_alone;		/* only the first and the last piece may be empty: first and last are 0 */
};
double bound_of(const struct configuration *, const struct bound_work *);

#endif
