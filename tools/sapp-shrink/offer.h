/* Offer: a run that could be made, with its cost and the goals that it reaches. */
#ifndef OFFER_H
#define OFFER_H

#include "lib/cost/shape.h"
#include "lib/estimate/estimator.h"
#include "lib/estimate/factor.h"
#include "lib/estimate/nearest.h"
#include "row.h"

enum { REGIMES = 8 };		/* regimes of tp, cp and ep, each 1 or more than 1 */

/* Types of communication in a step, for different sizes of groups. */
enum sending { SENDS_RING, SENDS_MESSAGES, SENDS_TOKENS, SENDINGS };
struct sent {
	int what;		/* enum sending */
	int members;		/* number of members if all are on one node; 0: on several nodes, any number */
};

struct offer {
	struct training_run run;
	struct architecture net;
	double x[FACTORS];
	bool known;		/* whether the run has results */
	bool always;
	bool base;		/* whether it is the base run of its regime */
};

/* Conditions under which runs can be made. */
struct site {
	const struct architecture *net;
	const struct cluster *cluster;
	int devices;		/* number of devices per run */
	int node;		/* devices per node */
	int nodes;
	int framework;
	struct nearest nearest;	/* of the runs that do not fit, the one nearest to fitting */
	struct training_run lacking;	/* the run that is nearest to fitting */
};

struct offers {
	size_t n;
	struct offer *at;
	int too_large;		/* number of runs that do not fit into memory */
};

int regime_of(const struct configuration *);
/* Get the groups that communicate in a configuration, in SENT [6]. Return their number. */
int sent_of(const struct configuration *, const struct architecture *, int node, struct sent sent[6]);
/*
 * Add a run and return its offer. Takes ownership of the run. For a duplicate, return the existing offer. Return NULL
 * if the run violates the framework's rules or exceeds the memory. *WHY: the violation (caller frees), or NULL for
 * memory.
 */
struct offer *offers_add(struct offers *, struct site *, struct training_run *, char **why);
/* Add a run with results. */
void offers_known(struct offers *, struct site *, const struct training_run *);
/*
 * Add runs with the shapes of C without recomputation; with AGAIN, add also runs with recomputation. Print the reason
 * if a run cannot be made.
 */
void offers_of_shape(struct offers *, struct site *, const struct configuration *c, bool again);
/*
 * offers_of_rows() adds runs of the table's rows for the base C; offers_of_each() adds runs of a row for all
 * candidates.
 */
void offers_of_rows(struct offers *, struct site *, const struct shrink_rows *, const struct configuration *base);
void offers_of_each(struct offers *, struct site *, const struct shrink_row *, const struct configuration *all,
    size_t n);
/* Print the memory that the nearest run lacks, and a remedy. */
void offers_say_nearest(const struct site *);
void offer_write(FILE *, const struct offer *);
void offers_free(struct offers *);

#endif
