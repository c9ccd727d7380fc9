/* The time of weight gradients (the W of schedules with split backwards), and the memory kept for them. */
#ifndef WEIGHTS_H
#define WEIGHTS_H

#include "network.h"

/*
 * Return the ms of weight gradients: minimum over kinds; for one kind; for an end of the model. If not given, it is
 * half of the backward without recomputation.
 */
double body_weight(const struct body *);
double body_kind_weight(const struct body *, int kind);
double end_weight(const struct end *);

/*
 * Return the ms of the layer's weight gradients. LEAST: ms of its shortest backward. Exit, naming AT, if the weight
 * gradients take longer.
 */
double weights_time(const struct layer *, double least, struct place at);
/*
 * Fill in weight, kept and their excesses of a body, and the network's flags. Kinds, backwards and activations must be
 * set. Exit, naming AT, if a backward is shorter than its weight gradients.
 */
void weights_set(struct network *, struct body *, const struct layer *, struct place at);

#endif
