/*
 * A layer's times where its host, its device and its all-to-alls are told apart, and what recomputing modules adds.
 * sapp-est(1) has the equations.
 */
#ifndef SEGMENT_H
#define SEGMENT_H

#include "layer_sizes.h"

/* Fill in what the host takes, of DETAIL whose times of the device are there. */
void segment_host(struct layer_detail *, const struct layer_sizes *, enum layer_kind, const struct division *,
    const struct cluster *);
/* A layer's forward_compute and backward_compute, EXPOSED seconds of all-to-alls beside its experts. */
void segment_times(struct layer_cost *, double exposed);
/* Seconds that modules add to the backward, which take DEVICE seconds of the device and HOST times A's launches. */
double segment_again(const struct layer_cost *, double device, double host);
/* How often modules launch A's parts once more. */
double segment_relaunches(const struct architecture *, enum layer_kind, int modules);

#endif
