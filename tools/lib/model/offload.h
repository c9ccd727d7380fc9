/*
 * Offload: activations that a device moves to the memory of its host and back while it runs.  The link is as fast
 * whatever the device's speed, so what stays and how long a backward waits differ from stage to stage where speeds do.
 */
#ifndef OFFLOAD_H
#define OFFLOAD_H

#include "network.h"

/*
 * Let devices offload RATE MB in a ms; 0: they cannot, and kinds that do are left out, of which it warns. SPEED: of the
 * devices, see struct devices. The bodies' activation and link are those of the slowest device, which are the least. To
 * be called after network_split(). Exits where a layer has no kind left.
 */
void network_link(struct network *, double rate, struct list speed);
/*
 * The network as on devices of a pace, by which the times of layers are multiplied: all its own but the bodies, which
 * are to be freed.
 */
struct network network_at(const struct network *, double pace);
/*
 * A body's activation, MB, and link, ms, with a kind of recomputation as on such devices. Times are those of the
 * layers, which the pace is not in yet.
 */
double offload_activation(const struct network *, const struct body *, int kind, double pace);
double offload_link(const struct network *, const struct body *, int kind, double pace);

#endif
