/* Account: the parts of a rank's step. If the records do not add up to the step, a message says so. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "sapp-trace/layers/layout.h"

struct account {		/* times in ms per step */
	double step;
	double layers, ends;	/* wall time of layers and of the model's ends */
	double transfers;	/* transfers while no kernel runs */
	double collectives;	/* collectives outside of layers while nothing else runs */
	double outside;		/* kernels before and after the pipeline */
	double idle;		/* nothing runs, outside of layers */
	double missing;		/* kernels in the pipeline that no record includes */
};

/* Return the account of a good step of the layout, NUMBER, which takes STEP ms. */
struct account account_of(const struct sequence *, const struct layout *, int number, double step);
/*
 * Warn if kernels without a record take 2 % of the step, or if the parts differ from the step by more than 2 %.
 * REPEATS: layers were found by repetition in whole steps; then exit if 10 % are reached.
 */
void account_check(const struct account *, bool repeats, const char *source);

#endif
