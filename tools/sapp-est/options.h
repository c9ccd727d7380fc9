/* What the command line of sapp-est says. */
#ifndef EST_OPTIONS_H
#define EST_OPTIONS_H

#include "lib/strategy/space_options.h"

struct wanted {
	char **operands;
	const char *cluster;	/* name or file; NULL: of the stream */
	double imbalance;
	bool layers;		/* questions for sapp-lp instead of estimates */
	bool tower_first;	/* in them a tower is on the first stage, whole */
	bool parts;		/* what layers are made of, too */
	bool parameters;	/* counts instead of estimates */
	bool next;		/* which run to make next, behind the estimates */
	bool operators;		/* which operators to measure, instead of estimates */
	double until;		/* %: of layers and ends that may stay unmeasured */
	bool space;		/* configurations are enumerated here */
	struct space asked;
	int keep;		/* of a space */
	double alike;		/* %, within which estimates of a space are one row; below 0: as usual */
	double below;		/* ms: only those that a plan can be below; INFINITY: all */
	enum { BY_STEP_TIME, BY_LOWER_BOUND } by;
	const char *peaks;	/* logs of dryruns; NULL: none */
	const char *nd;		/* CSV of what is known from them; NULL: none */
	int ep_most;		/* in that CSV */
	const char *profile;	/* CSV of layer times; NULL: none */
	const char *current;	/* a file with the candidate that runs today; NULL: the stream may have it */
	const char *records;	/* measured layers, times and peaks; NULL: what the stream has */
	const char *runs;	/* measured steps to calibrate the cluster with; NULL: none */
	int noncausal;		/* 1: mfu counts all of the attention's operations */
};

struct wanted wanted_read(int argc, char *argv[]);

#endif
