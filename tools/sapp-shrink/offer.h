/* Offer: a run that could be made, its cost and the goals it reaches. */
#ifndef OFFER_H
#define OFFER_H

#include "lib/cost/shape.h"
#include "lib/estimate/estimator.h"
#include "lib/estimate/factor.h"
#include "lib/estimate/nearest.h"
#include "row.h"

enum { REGIMES = 8 };		/* of tp, cp and ep: 1, or more */

/* Types of communication in a step, by group size. */
enum sending { SENDS_RING, SENDS_MESSAGES, SENDS_TOKENS, SENDINGS };
struct sent {
	int what;		/* enum sending */
	int members;		/* all on one node; 0: on several nodes, any number */
};

struct offer {
	struct training_run run;
	struct architecture net;
	double x[FACTORS];
	bool known;		/* has results */
	bool always;
	bool base;		/* the base run of its regime */
};

/* Where runs can be made. */
struct site {
	const struct architecture *net;
	const struct cluster *cluster;
	int devices;		/* per run */
	int node;		/* devices per node */
	int nodes;
	int framework;
	struct nearest nearest;	/* nearest of the runs that do not fit */
	struct training_run lacking;	/* the run of nearest */
};

struct offers {
	size_t n;
	struct offer *at;
	int too_large;		/* number of runs that do not fit into memory */
};

int regime_of(const struct configuration *);
/* Get the communication groups of a configuration into SENT [6]; return their number. */
int sent_of(const struct configuration *, const struct architecture *, int node, struct sent sent[6]);
/*
 * Add a run, taking ownership, unless it is a duplicate, violates the framework's rules or exceeds memory. Return the
 * offer (the existing one for a duplicate) or NULL. *WHY: the violation (caller frees), or NULL for memory.
 */
struct offer *offers_add(struct offers *, struct site *, struct training_run *, char **why);
/* Add a run with results. */
void offers_known(struct offers *, struct site *, const struct training_run *);
/* Add runs with the shapes of C without recomputation and, with AGAIN, also with it; print what prevents them. */
void offers_of_shape(struct offers *, struct site *, const struct configuration *c, bool again);
/* Add runs of the table's rows: for the base C, or for all candidates. */
void offers_of_rows(struct offers *, struct site *, const struct shrink_rows *, const struct configuration *base);
void offers_of_each(struct offers *, struct site *, const struct shrink_row *, const struct configuration *all,
    size_t n);
/* Print the memory that the nearest run lacks, and what would help. */
void offers_say_nearest(const struct site *);
void offer_write(FILE *, const struct offer *);
void offers_free(struct offers *);

#endif
