/* Collectives that were measured, by members, nodes and bytes: tables that win over latency and bandwidth. */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include "lib/record/cluster.h"

/*
 * RING: a round of an all-gather, a reduce-scatter or half an all-reduce, whichever was measured. SENDS: messages from
 * one device to another. The others: one operation alone, whole.
 */
enum collective_kind { COLLECTIVE_RING, COLLECTIVE_SENDS, COLLECTIVE_REDUCE, COLLECTIVE_GATHER, COLLECTIVE_SCATTER,
	COLLECTIVE_EXCHANGE };

struct collective {		/* one group's */
	int members, nodes;	/* that they lie on */
	enum collective_kind kind;
	double error;		/* relative */
	int n;
	double *bytes, *time;	/* [n], bytes ascending; s */
};

/* Of an operation of enum observed_op. */
enum collective_kind collective_kind_of(int op);

struct collectives {
	int n;
	struct collective *at;
};

/* Add a knot: OP of enum observed_op, NODES that MEMBERS lie on, what all of it takes in s. */
void collectives_knot(struct collectives *, int op, int members, int nodes, double bytes, double time, double error);
/*
 * Of as many members, or of the most alike number, and then nodes; NULL: none lies on one node, or on several, as they
 * do.
 */
const struct collective *collectives_find(const struct collectives *, enum collective_kind, double members,
    double nodes);
/* s of a round of so many bytes, which its knots enclose: times are interpolated linearly. */
double collective_time(const struct collective *, double bytes);
void collectives_free(struct collectives *);

#endif
