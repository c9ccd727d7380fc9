/* Offer: a run that may be made, what it takes and what it tells. */
#ifndef OFFER_H
#define OFFER_H

#include "lib/strategy/estimator.h"
#include "lib/strategy/factor.h"
#include "lib/strategy/nearest.h"
#include "lib/strategy/shape.h"
#include "row.h"

enum { REGIMES = 8 };		/* of tp, cp and ep: 1, or more */

/* What a step sends, and between how many. */
enum sending { SENDS_RING, SENDS_MESSAGES, SENDS_TOKENS, SENDINGS };
struct sent {
	int what;		/* enum sending */
	int members;		/* on one node; 0: on several, any number */
};

struct offer {
	struct training_run run;
	struct architecture net;
	double x[FACTORS];
	bool known;		/* it was made */
	bool always;
	bool base;		/* its regime is compared with it */
};

/* Where runs are to be made. */
struct site {
	const struct architecture *net;
	const struct cluster *cluster;
	int devices;		/* for a run */
	int node;		/* devices of a node */
	int nodes;
	int framework;
	struct nearest nearest;	/* of those that do not fit */
	struct training_run lacking;	/* that run */
};

struct offers {
	size_t n;
	struct offer *at;
	int too_large;		/* runs that do not fit into memory */
};

int regime_of(const struct configuration *);
/* Devices of the groups of a configuration; how many there are in SENT [6]. */
int sent_of(const struct configuration *, const struct architecture *, int node, struct sent sent[6]);
/*
 * Take a run over into offers, unless it is there already, the framework forbids it or it needs more memory; NULL, or
 * the one that it is. WHY, to be freed, says what is in the way, NULL where it is memory.
 */
struct offer *offers_add(struct offers *, struct site *, struct training_run *, char **why);
/* One that was made. */
void offers_known(struct offers *, struct site *, const struct training_run *);
/* Those with the shapes of C, without recomputation, and, AGAIN, with it; what is in the way is said. */
void offers_of_shape(struct offers *, struct site *, const struct configuration *c, bool again);
/* Runs of the rows: those of a base that C is, or of all candidates. */
void offers_of_rows(struct offers *, struct site *, const struct rows *, const struct configuration *base);
void offers_of_each(struct offers *, struct site *, const struct row *, const struct configuration *all, size_t n);
/* How much memory the nearest lacks of those that do not fit, and what would help it. */
void offers_say_nearest(const struct site *);
void offer_write(FILE *, const struct offer *);
void offers_free(struct offers *);

#endif
