/* Times of communication over the links of a cluster. */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include "collective.h"

/* A group of MEMBERS devices, STRIDE apart. */
struct group {
	double members, stride;
};

/* Seconds are rounds x (bytes x per_byte + latency); both are 0 for a group of one. */
struct route {
	double per_byte;	/* s, a byte gathered (ring) or sent by a device (all-to-all) */
	double latency;		/* s, a round */
	/* What was measured of such groups, or of the most alike; NULL: nothing. */
	const struct collective *known;
	double known_per_byte, known_latency;	/* of KNOWN's own group, as computed */
};

/* A round is an all-gather or a reduce-scatter; an all-reduce is two. */
struct route route_ring(const struct cluster *, struct group);
struct route route_all_to_all(const struct cluster *, struct group);
/*
 * A dispatch of tokens to K experts each, by the time of a byte of copies that a device sends. FLEX: a token goes once
 * to each device, and once to each node, at most to NODE_LIMIT of them where it is above 0; what is expected of k
 * different ones of all. How much of a byte goes over each link into PART, unless NULL.
 */
struct route route_dispatch(const struct cluster *, struct group, bool flex, double k, int node_limit,
    struct list *part);
/* From one device to another within a span of devices. */
struct route route_between(const struct cluster *, double span);
/* Take what was measured of KIND in such a group into a route of it. */
void route_measured(struct route *, const struct collectives *, const struct cluster *, struct group,
    enum collective_kind);
/* 0 where there is nothing to send. */
double route_time(struct route, double rounds, double bytes);

#endif
