/*
 * Weights: the part of a backward that gives the weights' gradients, what W runs where a schedule splits backwards, and
 * what is kept for it.
 */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include "network.h"

/* ms, half the backward without recomputation if not given: the least of any kind of recomputation, and that of one. */
double body_weight(const struct body *);
double body_kind_weight(const struct body *, int kind);
double end_weight(const struct end *);

/* What a layer says of it, ms, of a backward that takes LEAST ms at least. Exits naming AT where it is more. */
double weights_time(const struct layer *, double least, struct place at);
/*
 * Fill in a body's weight and kept, whose kinds, backwards and activations are there, and the network's flags. Exits
 * naming AT where a backward is shorter than its part.
 */
void weights_set(struct network *, struct body *, const struct layer *, struct place at);

#endif
