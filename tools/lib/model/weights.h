/* Weights: the weight gradient part of a backward (W in schedules with split backwards) and the memory kept for it. */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include "network.h"

/*
 * Return the ms of the weight gradient part: minimum over kinds; of one kind; of an end. Default: half the backward
 * without recomputation.
 */
double body_weight(const struct body *);
double body_kind_weight(const struct body *, int kind);
double end_weight(const struct end *);

/* Return the layer's weight time, ms. Exits, naming AT, if it exceeds LEAST, the minimum ms of its backward. */
double weights_time(const struct layer *, double least, struct place at);
/*
 * Fill in a body's weight and kept and the network's flags; kinds, backwards and activations must be set. Exits, naming
 * AT, if a backward is shorter than its weight gradient part.
 */
void weights_set(struct network *, struct body *, const struct layer *, struct place at);

#endif
