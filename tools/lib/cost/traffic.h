/*
 * Times of communication over the links of a cluster. A route is the links that a collective or transfer uses, with its
 * time per byte and per round.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include "collective.h"

/* A group of MEMBERS devices whose ranks are STRIDE apart. */
struct group {
	double members, stride;
};

/* A collective takes rounds x (bytes x per_byte + latency) seconds. Both are 0 for a group of one device. */
struct route {
	double per_byte;	/* s per byte that the group gathers (ring) or that a device sends (all-to-all) */
	double latency;		/* s per round */
	/* measurements of the most similar group; NULL: none */
	const struct collective *known;
	double known_per_byte, known_latency;	/* as per_byte and latency, computed for the group of KNOWN */
};

/* Return the route of a ring. An all-gather or a reduce-scatter is one round; an all-reduce is two. */
struct route route_ring(const struct cluster *, struct group);
struct route route_all_to_all(const struct cluster *, struct group);
/*
 * Return the route that dispatches each token to K distinct experts. Its bytes are all copies that a device sends.
 * FLEX: a token goes once to each device and once to each node; their expected numbers are used. NODE_LIMIT: maximum
 * number of nodes per token; 0: any. PART: set to the fraction of these bytes that crosses each link, unless NULL.
 */
struct route route_dispatch(const struct cluster *, struct group, bool flex, double k, int node_limit,
    struct list *part);
/* Return the route of a message between two devices at most SPAN ranks apart. */
struct route route_between(const struct cluster *, double span);
/* Add to the route the measurements of a collective of KIND in the most similar group. */
void route_measured(struct route *, const struct collectives *, const struct cluster *, struct group,
    enum collective_kind);
/* Return the seconds of a collective of ROUNDS rounds. Return 0 if BYTES is 0. */
double route_time(struct route, double rounds, double bytes);

#endif
