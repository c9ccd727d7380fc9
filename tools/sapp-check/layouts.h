/*
 * Layouts: every way to lay the layers over the stages in the model's order, as runs that each stage may hold. What a
 * plan below the claim cannot have is dropped: what does not fit, what keeps a stage busy for too long, and what paths
 * through the operations show. A path is no longer than the step of the plan that it is taken in, so neither is a mean
 * of paths; that is a sum over the stages of their layers' times, whose least is found by dynamic programming.
 */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "contents.h"

struct path {			/* how often it has each stage's operations, and crosses the boundary behind it */
	int *forwards, *backwards, *crossings;	/* [stages] */
	int last;		/* the stage on which it ends */
};

struct hold {			/* a content on a stage, in parts of question.ms and pace */
	bool fits;
	mpz_t forward, backward;
};

struct layouts {
	const struct question *question;
	struct contents contents;
	struct hold *hold;	/* [stages][contents] */
	size_t runs;		/* stages * (layers + 1) * width */
	mpz_t claim;		/* what every step takes, in those parts; of no use where none is claimed */
	mpz_t *cost;		/* [stages][contents], scratch */
	mpz_t *before, *after;	/* [stages + 1][layers + 1], least sums */
	bool *reached, *reaches;	/* the same: there is a way from the first layer, to the last */
};

void layouts_open(struct layouts *, const struct question *, struct place at);
void layouts_free(struct layouts *);
/* ALIVE[runs]: those that a plan below the claim may have, by memory and by how long it keeps its stage busy. */
void layouts_begin(const struct layouts *, unsigned char *alive);
/*
 * Drop the runs of no layout with which the mean of PATH[n], the i-th WEIGHT[i] times, is below the claim. LEAST is
 * that of all layouts, over all weights. False: no layout is left.
 */
bool layouts_drop(struct layouts *, unsigned char *alive, int n, const struct path *const path[], const int *weight,
    mpq_t least);
/* Drop runs that are in no layout at all; false: there is none. */
bool layouts_any(struct layouts *, unsigned char *alive);
/* Keep the runs of a stage that have at most MOST, or where ABOVE more: layers, or FIRST layers before it. */
void layouts_keep(const struct layouts *, unsigned char *alive, int stage, bool first, int most, bool above);

#endif
