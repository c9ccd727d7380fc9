/* A time that no plan of a configuration beats, whatever layers it moves or recomputes. */
#ifndef BOUND_H
#define BOUND_H

#include "layer_cost.h"

/* Seconds of the pipeline alone, without what is outside the micro-batches. */
double bound_below(const struct architecture *, const struct configuration *, const struct costs *);

/* The same for times given directly: layers' forward + backward, ends included in no layer. */
struct bound_work {
	double all;			/* of all layers and both ends */
	double most, least;		/* of a layer */
	double first, last;		/* of the first and the last layer */
	double embedding, head;
	bool alone;			/* pieces may be without layers: first, last and least are 0 */
	bool ends_alone;		/* only the first and the last may: first and last are 0 */
};
double bound_of(const struct configuration *, const struct bound_work *);

#endif
