/* Measured collectives, by members, nodes and bytes; they override latency and bandwidth. */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include "lib/record/cluster.h"

/*
 * RING: one round, that is, an all-gather, a reduce-scatter or half an all-reduce, whichever was measured. SENDS:
 * messages between devices. The other kinds: the whole operation.
 */
enum collective_kind { COLLECTIVE_RING, COLLECTIVE_SENDS, COLLECTIVE_REDUCE, COLLECTIVE_GATHER, COLLECTIVE_SCATTER,
	COLLECTIVE_EXCHANGE };

struct collective {		/* measurements of one kind of group */
	int members, nodes;	/* number of nodes with members */
	enum collective_kind kind;
	double error;		/* relative */
	int n;
	double *bytes, *time;	/* [n], bytes ascending; s */
};

/* Return the kind for an enum observed_op. */
enum collective_kind collective_kind_of(int op);

struct collectives {
	int n;
	struct collective *at;
};

/* Add a knot: OP: enum observed_op; NODES: number of nodes of the MEMBERS; TIME: s of the whole operation. */
void collectives_knot(struct collectives *, int op, int members, int nodes, double bytes, double time, double error);
/*
 * Return the collective with the nearest number of members, then of nodes, or NULL if none exists. Groups on several
 * nodes never get a collective measured on one node, nor the reverse.
 */
const struct collective *collectives_find(const struct collectives *, enum collective_kind, double members,
    double nodes);
/*
 * Return the s of a round, or of the whole operation, of BYTES: interpolated linearly between knots, and outside their
 * range the time of the nearest knot.
 */
double collective_time(const struct collective *, double bytes);
void collectives_free(struct collectives *);

#endif
