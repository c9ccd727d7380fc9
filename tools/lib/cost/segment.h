/*
 * Times of a layer whose host, device and all-to-all times are known separately, and of recomputed modules. The
 * equations are in sapp-est(1).
 */
#ifndef SEGMENT_H
#define SEGMENT_H

#include "layer_sizes.h"

/* Compute the host times of DETAIL, given its device times. */
void segment_host(struct layer_detail *, const struct layer_sizes *, enum layer_kind, const struct division *,
    const struct cluster *);
/* Compute a layer's forward_compute and backward_compute. EXPOSED: s of all-to-alls that do not overlap experts. */
void segment_times(struct layer_cost *, double exposed);
/*
 * Return the s that recomputed modules add to the backward. DEVICE: their device time, s. HOST: their launch time,
 * relative to the launch time of the forward of A.
 */
double segment_again(const struct layer_cost *, double device, double host);
/* Return the launch time of recomputed modules, relative to the launch time of the forward of A. */
double segment_relaunches(const struct architecture *, enum layer_kind, int modules);

#endif
