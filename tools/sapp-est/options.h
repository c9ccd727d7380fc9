/* The command line of sapp-est. */
#ifndef EST_OPTIONS_H
#define EST_OPTIONS_H

#include "lib/space/space_options.h"

struct wanted_output {
	char **operands;
	const char *cluster;	/* name or file; NULL: from the stream */
	bool clusters;		/* list installed ones, instead of estimates */
	const char *template;	/* print this one to be edited; NULL: estimates */
	double imbalance;
	bool layers;		/* write questions for sapp-lp instead of estimates */
	bool tower_first;	/* all layers of towers are on the first stage; with layers */
	bool parts;		/* include the parts of layers */
	bool parameters;	/* write counts instead of estimates */
	bool next;		/* also write the run to make next */
	bool operators;		/* write operators to measure, instead of estimates */
	double until;		/* %: of layers and ends that may stay unmeasured */
	bool space;		/* enumerate a space */
	struct space asked;
	int keep;		/* number kept of a space */
	double alike;		/* %, maximum difference within a row; below 0: default */
	double below;		/* ms: only configurations with a plan below; INFINITY: all */
	enum { BY_STEP_TIME, BY_LOWER_BOUND } by;
	const char *peaks;	/* logs of dryruns; NULL: none */
	const char *nd;		/* CSV to write them to; NULL: none */
	int ep_most;		/* for that CSV */
	const char *profile;	/* CSV of layer times; NULL: none */
	const char *current;	/* file with the current candidate; NULL: from the stream */
	const char *records;	/* file of measured layers, times and peaks; NULL: from the stream */
	const char *runs;	/* measured steps for calibration; NULL: none */
	int noncausal;		/* 1: mfu counts the masked operations of attention also */
};

struct wanted_output wanted_read(int argc, char *argv[]);

#endif
