/*
 * Times of a layer with separate host, device and all-to-all times, and the cost of recomputed modules. sapp-est(1) has
 * the equations.
 */
#ifndef SEGMENT_H
#define SEGMENT_H

#include "layer_sizes.h"

/* Fill in the host times of DETAIL from its device times. */
void segment_host(struct layer_detail *, const struct layer_sizes *, enum layer_kind, const struct division *,
    const struct cluster *);
/* Set a layer's forward_compute and backward_compute; EXPOSED: seconds of all-to-alls not hidden by experts. */
void segment_times(struct layer_cost *, double exposed);
/*
 * Return the seconds that recomputed modules add to the backward. DEVICE: their device time; HOST: their launches, as a
 * multiple of the launches of A.
 */
double segment_again(const struct layer_cost *, double device, double host);
/* Return the number of relaunches of A's parts by recomputed modules. */
double segment_relaunches(const struct architecture *, enum layer_kind, int modules);

#endif
