/* Account: the use of a rank's step. The records must add up to the step, or a message follows. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "sapp-trace/layers/layout.h"

struct account {		/* ms per step */
	double step;
	double layers, ends;	/* wall time */
	double transfers;	/* while no kernel ran */
	double collectives;	/* outside layers, while nothing else ran */
	double outside;		/* kernels before and after the pipeline */
	double idle;		/* outside layers */
	double missing;		/* kernels in the pipeline without a record */
};

/* Return the account of a step with a good layout and a length of STEP ms. */
struct account account_of(const struct sequence *, const struct layout *, int number, double step);
/*
 * Warn if kernels without a record take 2 % of the step, or the parts differ from it by more than 2 %. REPEATS: layers
 * were found by repetition in whole steps; then exit from 10 % on.
 */
void account_check(const struct account *, bool repeats, const char *source);

#endif
