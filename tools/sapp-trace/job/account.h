/* Account: where the time of a rank's step went. What records say adds up to the step, or the reader is told. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "sapp-trace/sequence/layout.h"

struct account {		/* ms of one step */
	double step;
	double layers, ends;	/* their wall time */
	double transfers;	/* while no kernel ran */
	double collectives;	/* outside of layers, and while nothing else ran */
	double outside;		/* kernels before and behind the pipeline */
	double idle;		/* outside of layers */
	double missing;		/* kernels in the pipeline that are in no record */
};

/* Of a step whose layout is good, and that took STEP ms. */
struct account account_of(const struct sequence *, const struct layout *, int number, double step);
/* "101.9 ms = layers 92.6 + ...", to be freed. */
char *account_text(const struct account *);
/*
 * A warning where kernels in no record take 2 % of the step, or more, or parts do not add up to it within 2 %; an error
 * from 10 % on where LAYERS were told by what repeats, in a whole step.
 */
void account_check(const struct account *, bool repeats, const char *source);

#endif
