/* Times of communication over the links of a cluster. A route is a way to send data within a group, with its cost. */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include "collective.h"

/* A group of MEMBERS devices, STRIDE apart. */
struct group {
	double members, stride;
};

/* Seconds are rounds x (bytes x per_byte + latency); both are 0 for a group of one. */
struct route {
	double per_byte;	/* s per byte gathered (ring) or sent by a device (all-to-all) */
	double latency;		/* s per round */
	/* Measurements of the most similar group, or NULL. */
	const struct collective *known;
	double known_per_byte, known_latency;	/* computed for KNOWN's own group */
};

/* A round is an all-gather or a reduce-scatter; an all-reduce has two. */
struct route route_ring(const struct cluster *, struct group);
struct route route_all_to_all(const struct cluster *, struct group);
/*
 * Return the route that dispatches each token to K experts, per byte of copies that a device sends. FLEX: a token goes
 * once to each device and once to each node, to NODE_LIMIT nodes if above 0; expected values for K distinct experts.
 * PART, unless NULL: fraction of a byte over each link.
 */
struct route route_dispatch(const struct cluster *, struct group, bool flex, double k, int node_limit,
    struct list *part);
/* Return the route between devices within SPAN devices. */
struct route route_between(const struct cluster *, double span);
/* Add measurements of KIND in such a group to a route. */
void route_measured(struct route *, const struct collectives *, const struct cluster *, struct group,
    enum collective_kind);
/* Return the time of a route, s; 0 if nothing is sent. */
double route_time(struct route, double rounds, double bytes);

#endif
