/* Answers: the options of the search in every file, and the results of all files. */
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
	const char *anchor;	/* -anchor, or NULL */
	int micro;		/* -mb; 0: unset */
	int stages;		/* -s; 0: unset */
	bool replay;		/* -replay */
	bool kernels;		/* -kernels */
	int nodes;		/* -nodes; 0: unset */
	int settings;		/* number of pipeline settings in -c; 0: none */
	struct grid *layers;	/* [settings]: [chunk][stage] */
	const char *said;	/* the file of -c */
};

/* A file that needs the layers or micro-batches found in other files. */
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
	int stages;		/* found in files; 0: none */
	struct operations operations;
	struct logs logs;
	int micro;		/* micro-batches per step found in files; 0: none */
	const char *micro_source;
	bool micro_sure;	/* a file proves it */
	struct layer_model model;	/* kernels around a layer, from the files */
	int nwaiting;
	struct waiting_device *waiting;
	int tables;		/* number of tables of single collectives */
	int files;		/* number with layers found by repetition */
	struct body_kinds kinds;	/* of body layers, in files without layer names */
	struct hints found;	/* layers that occur in any file */
};

void answers_init(struct answers *, const struct classes *);
/* Record that a file shows MICRO micro-batches per step; SURE: proves it. */
void answers_micro(struct answers *, int micro, bool sure, const char *source);
void answers_free(struct answers *);

#endif
