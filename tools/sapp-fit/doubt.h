/* Doubts: coefficients that the runs leave undetermined, each with a run that would determine it. */
#ifndef DOUBT_H
#define DOUBT_H

#include "sample.h"

/* Dimensions that are undetermined for the same reason. */
struct untold {
	struct doubt doubt;
	bool unsure[FACTORS];
	bool third;		/* whether a third value of the factor is needed */
};

struct doubts {
	size_t n;
	struct untold *at;
};

/*
 * Add one dimension. OF: its name; UNSURE: the factors it may depend on; WHY: the reason. THIRD: a third value is
 * needed. Texts are not copied.
 */
void doubts_add(struct doubts *, struct place_of, const char *of, const bool unsure[FACTORS], bool third,
    const char *why);

/*
 * Write the doubt with a proposed run: the first of RUN[n] with a factor doubled, or multiplied by more if such a run
 * exists. With THIRD, the factor differs from the values of all runs.
 */
void doubt_write(FILE *, struct untold *, const struct observed_run *const *run, size_t n);

#endif
