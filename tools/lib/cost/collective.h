/* Measured collectives, by members, nodes and bytes. They replace times computed from latency and bandwidth. */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include "lib/record/cluster.h"

/*
 * RING: one all-gather or reduce-scatter, measured directly or as half an all-reduce. SENDS: a message between two
 * devices. The other kinds: the whole operation of that name.
 */
enum collective_kind { COLLECTIVE_RING, COLLECTIVE_SENDS, COLLECTIVE_REDUCE, COLLECTIVE_GATHER, COLLECTIVE_SCATTER,
	COLLECTIVE_EXCHANGE };

struct collective {		/* measurements of one kind in groups of equal size */
	int members, nodes;	/* number of devices in the group; number of nodes with any of them */
	enum collective_kind kind;
	double error;		/* relative standard deviation */
	int n;
	double *bytes, *time;	/* [n], bytes ascending; time in s */
};

/* Return the collective_kind of an enum observed_op. */
enum collective_kind collective_kind_of(int op);

struct collectives {
	int n;
	struct collective *at;
};

/*
 * Add the TIME, s, of a whole operation OP (enum observed_op) of BYTES. NODES: number of nodes that the MEMBERS are on.
 */
void collectives_knot(struct collectives *, int op, int members, int nodes, double bytes, double time, double error);
/*
 * Return the collective with the nearest number of members, then of nodes, or NULL if none exists. Groups on several
 * nodes never match a collective measured on one node, nor the reverse.
 */
const struct collective *collectives_find(const struct collectives *, enum collective_kind, double members,
    double nodes);
/*
 * Return the s that BYTES take, for one round of a ring or the whole operation of another kind. Interpolate linearly
 * between measured bytes. Outside their range, return the time of the nearest.
 */
double collective_time(const struct collective *, double bytes);
void collectives_free(struct collectives *);

#endif
