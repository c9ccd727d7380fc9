/*
 * Activations that are moved to host memory and back while a device computes. Devices may differ in speed, but their
 * host links do not. So waiting times and memory differ between stages.
 */
#ifndef OFFLOAD_H
#define OFFLOAD_H

#include "network.h"

/*
 * Let devices offload RATE MB per ms. SPEED: as in struct devices. Set activation and link of the bodies for the
 * slowest device, on which both are smallest. RATE 0: no offloading, and forbid the kinds that need it, with a warning.
 * Call after network_split(). Exit if a layer has no kind left.
 */
void network_link(struct network *, double rate, struct list speed);
/*
 * Return the network as it is on devices whose layer times are multiplied by PACE. Its bodies are a copy that the
 * caller frees. Everything else is shared.
 */
struct network network_at(const struct network *, double pace);
/*
 * Return body.activation[KIND], MB, or body.link[KIND], ms, on devices whose layer times are multiplied by PACE. The
 * times in the network are not yet multiplied by PACE.
 */
double offload_activation(const struct network *, const struct body *, int kind, double pace);
double offload_link(const struct network *, const struct body *, int kind, double pace);

#endif
