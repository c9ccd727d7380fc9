/* One call of sapp-est: its inputs, measurements, and the state of its output. */
#ifndef EST_RUN_H
#define EST_RUN_H

#include "lib/estimate/inputs.h"
#include "lib/estimate/estimator.h"
#include "lib/record/line.h"
#include "coefficients.h"
#include "fused.h"
#include "next_run.h"
#include "timings.h"
#include "usages.h"
#include "wanted_operators.h"

/* Estimates of candidates for the current network and cluster. */
struct est_run {
	struct inputs in;
	struct estimating how;
	struct estimator *estimator;	/* NULL: network or cluster have changed */
	struct fused_kept kept;
	const struct architecture *net;
	const struct cluster *cluster;
	struct line line;
	bool any;
	/* whether a candidate was read; layers after it belong to its question, or come too late */
	bool asked;
	const char *records;	/* file of measurements in addition to the stream; NULL: none */
	char *last;		/* name of the last candidate, which the layers of its question have */
	int refused;		/* number of refused candidates */
	int networks;		/* number of networks read when measurements were last taken */
	struct est_timings timings;
	struct coefficients coefficients;
	struct usages usages;
	struct next_run next;
	bool assumed;		/* whether the mbs of a profile or of peaks is assumed to be 1 */
	struct wanted_operators operators;
	/* the table of operators, while it is unused because candidates compute in 8 or 4 bits */
	struct operator_table aside;
	double current_peak;	/* bytes, of the candidate with origin "current"; 0: unknown */
};

#endif
