/* Communication of a layer. Each function sets some of the layer's costs. */
#ifndef LAYER_TRAFFIC_H
#define LAYER_TRAFFIC_H

#include "layer_cost.h"
#include "layer_sizes.h"

/* Compute the gathers and reductions of tensor parallelism in one direction. */
void layer_traffic_tensor(struct layer_cost *, const struct layer_sizes *, enum layer_kind, const struct division *,
    const struct cluster *);
/* Compute the communication of context parallelism: of ring attention, or of the exchange of heads for tokens. */
void layer_traffic_context(struct layer_cost *, const struct layer_sizes *, const struct division *,
    const struct cluster *);
/* Compute the all-to-alls of experts. */
void layer_traffic_experts(struct layer_cost *, const struct layer_sizes *, const struct division *,
    const struct cluster *);

#endif
