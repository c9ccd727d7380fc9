/* Doubts: what runs leave untold, and a run that would tell. */
#ifndef DOUBT_H
#define DOUBT_H

#include "sample.h"

/* Dimensions that are untold alike. */
struct untold {
	struct doubt doubt;
	bool unsure[FACTORS];
	bool third;		/* another value of the factor would tell */
};

struct doubts {
	size_t n;
	struct untold *at;
};

/*
 * One more dimension: OF what, at a place, which factors it may follow, WHY it is untold; THIRD: for want of a further
 * value. The texts are not copied.
 */
void doubts_add(struct doubts *, struct place_of, const char *of, const bool unsure[FACTORS], bool third,
    const char *why);

/*
 * Write it, with one that would tell: like the first of RUN[n], a factor of it twice, or more where that is there;
 * THIRD: where any run has that value.
 */
void doubt_write(FILE *, struct untold *, const struct observed_run *const *run, size_t n);

#endif
