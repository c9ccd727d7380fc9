/*
 * Offload: activations moved to host memory and back while a device runs. The link has the same speed on all devices,
 * so memory and waiting differ between stages of different device speed.
 */
#ifndef OFFLOAD_H
#define OFFLOAD_H

#include "network.h"

/*
 * Let devices offload RATE MB per ms; 0: no offloading, and its kinds are dropped with a warning. SPEED: see struct
 * devices. Sets the bodies' activation and link for the slowest device, on which both are smallest. Call after
 * network_split(). Exits if a layer has no kind left.
 */
void network_link(struct network *, double rate, struct list speed);
/*
 * Return the network on devices with a factor PACE of layer times. Only its bodies are a copy, which the caller frees.
 */
struct network network_at(const struct network *, double pace);
/* Return a body's activation (MB) and link (ms) for a kind on such devices. Layer times exclude the pace. */
double offload_activation(const struct network *, const struct body *, int kind, double pace);
double offload_link(const struct network *, const struct body *, int kind, double pace);

#endif
