/* A call of sapp-est: the inputs, the measurements taken, and the state of the output. */
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
	struct estimator *estimator;	/* NULL: network or cluster changed */
	struct fused_kept kept;
	const struct architecture *net;
	const struct cluster *cluster;
	struct line line;
	bool any;
	bool asked;		/* a candidate was read: later layers belong to its question, or are too late */
	const char *records;	/* file of measured records in addition to the stream; NULL: none */
	char *last;		/* name of the last candidate, as in layers of its question */
	int refused;		/* number of candidates */
	int networks;		/* number of networks when measurements were last taken */
	struct est_timings timings;
	struct coefficients coefficients;
	struct usages usages;
	struct next_run next;
	bool assumed;		/* the mbs of a profile or peaks is assumed to be 1 */
	struct wanted_operators operators;
	struct operator_table aside;	/* the table while candidates compute in 8 or 4 bits */
	double current_peak;	/* bytes, for the candidate of origin "current"; 0: unknown */
};

#endif
