/* Doubts: coefficients that the runs leave undetermined, and a run that would determine them. */
#ifndef DOUBT_H
#define DOUBT_H

#include "sample.h"

/* Dimensions undetermined for the same reason. */
struct untold {
	struct doubt doubt;
	bool unsure[FACTORS];
	bool third;		/* needs a third value of the factor */
};

struct doubts {
	size_t n;
	struct untold *at;
};

/*
 * Add one dimension: OF what, its place, candidate factors, the reason WHY. THIRD: a further value is missing. Texts
 * are not copied.
 */
void doubts_add(struct doubts *, struct place_of, const char *of, const bool unsure[FACTORS], bool third,
    const char *why);

/*
 * Write the doubt with a proposed run: the first run with a factor doubled, or more if that run exists. THIRD: avoid
 * all values of RUN[n].
 */
void doubt_write(FILE *, struct untold *, const struct observed_run *const *run, size_t n);

#endif
