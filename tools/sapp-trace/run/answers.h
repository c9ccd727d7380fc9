/* Answers: the options for every file, and the results of all files. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "lib/base/table.h"
#include "sapp-trace/layers/hint.h"
#include "sapp-trace/layers/timing.h"
#include "body_kinds.h"
#include "log_records.h"
#include "memory.h"
#include "observe.h"
#include "operations.h"
#include "outside.h"

struct trace_question {
	struct classes *classes;
	bool named;		/* the user named the layers */
	struct step_range steps;
	const char *anchor;	/* value of -anchor, or NULL */
	int micro;		/* value of -mb; 0: unset */
	int stages;		/* value of -s; 0: unset */
	bool replay;		/* whether -replay was given */
	bool kernels;		/* whether -kernels was given */
	int nodes;		/* value of -nodes; 0: unset */
	int settings;		/* number of pipeline settings in the file of -c; 0: none */
	struct grid *layers;	/* [settings], number of layers [chunk][stage] */
	const char *said;	/* name of the file of -c */
};

/* A file of kernels that can be divided only with the layers or micro-batches found in other files. */
struct waiting_device {
	struct sequence sequence;
	struct trace_job job;
	const char *source;
};

struct answers {
	struct timings timings;
	struct step_outside outside;
	struct memory memory;
	struct observations observed;	/* with -kernels */
	int stages;		/* number found in files; 0: none */
	struct operations operations;
	struct logs logs;
	int micro;		/* number per step found in files; 0: none */
	const char *micro_source;
	bool micro_sure;	/* whether a file proves this number */
	struct layer_model model;	/* kernels around a layer, from all files */
	int nwaiting;
	struct waiting_device *waiting;
	int tables;		/* number of tables of single collectives */
	int files;		/* number of files whose layers were found by repetition */
	struct body_kinds kinds;	/* kinds of BODY layers in files without names of layers */
	char *said;		/* last message about layers found by repetition; NULL: none */
	struct hints found;	/* names of layers in any file */
};

void answers_init(struct answers *, const struct classes *);
/* Record that a file shows MICRO micro-batches per step. SURE: the file proves the number. */
void answers_micro(struct answers *, int micro, bool sure, const char *source);
void answers_free(struct answers *);

#endif
