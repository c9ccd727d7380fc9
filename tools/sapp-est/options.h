/* The command line of sapp-est. */
#ifndef EST_OPTIONS_H
#define EST_OPTIONS_H

#include "lib/space/space_options.h"

struct wanted_output {
	char **operands;
	const char *cluster;	/* name or file; NULL: from the stream */
	bool clusters;		/* list the installed clusters, instead of estimates */
	const char *template;	/* name of a cluster to print for editing; NULL: estimates */
	double imbalance;
	bool layers;		/* write questions for sapp-lp instead of estimates */
	bool tower_first;	/* with layers: put all layers of towers on the first stage */
	bool parts;		/* write the parts of layers also */
	bool parameters;	/* write counts instead of estimates */
	bool next;		/* write the run to make next also */
	bool operators;		/* write operators to measure, instead of estimates */
	double until;		/* %, maximum fraction of layers and ends that may stay unmeasured */
	bool space;		/* enumerate a space */
	struct space asked;
	int keep;		/* number of configurations of a space to keep */
	double alike;		/* %, maximum difference within a row; below 0: the default */
	double below;		/* ms, keep only configurations with a plan below this; INFINITY: all */
	enum { BY_STEP_TIME, BY_LOWER_BOUND } by;
	const char *peaks;	/* directory or log of dryruns; NULL: none */
	const char *nd;		/* CSV file to write their peaks to; NULL: none */
	int ep_most;		/* maximum ep in this CSV file */
	const char *profile;	/* CSV file of layer times; NULL: none */
	const char *current;	/* file with the current candidate; NULL: it is in the stream */
	const char *records;	/* file of measured layers, times and peaks; NULL: they are in the stream */
	const char *runs;	/* file of measured steps for -calibrate; NULL: none */
	int noncausal;		/* 1: in mfu, count the masked operations of attention also */
};

struct wanted_output wanted_read(int argc, char *argv[]);

#endif
