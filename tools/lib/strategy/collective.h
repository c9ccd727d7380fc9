/* Collectives that were measured, by members, nodes and bytes: tables that win over latency and bandwidth. */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include "lib/record/cluster.h"

struct collective {		/* one group's */
	int members, nodes;	/* that they lie on */
	bool sends;		/* messages from one device to another, else rounds of a ring */
	double error;		/* relative */
	int n;
	double *bytes, *time;	/* [n], bytes ascending; s of a round */
};

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
const struct collective *collectives_find(const struct collectives *, bool sends, double members, double nodes);
/* s of a round of so many bytes, which its knots enclose: logarithms are interpolated. */
double collective_time(const struct collective *, double bytes);
void collectives_free(struct collectives *);

#endif
