/* Answers: what is asked of every file, and what all of them together say. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "body_kinds.h"
#include "lib/field/table.h"
#include "sapp-trace/job/memory.h"
#include "sapp-trace/job/outside.h"
#include "sapp-trace/layer/hint.h"
#include "sapp-trace/observe/observe.h"
#include "sapp-trace/pipeline/log_records.h"
#include "sapp-trace/pipeline/operations.h"
#include "sapp-trace/time/timing.h"

struct question {
	struct classes *classes;
	bool named;		/* the user says what the layers are called */
	struct step_range steps;
	const char *anchor;	/* -anchor, or NULL */
	int micro;		/* -mb; 0: not given */
	int stages;		/* -s; 0: not given */
	bool replay;		/* -replay */
	bool kernels;		/* -kernels */
	int nodes;		/* -nodes; 0: not given */
	int settings;		/* that -c has of the pipeline; 0: it does not say */
	struct grid *layers;	/* [settings]: [chunk][stage] */
	const char *said;	/* the file of -c */
};

/* A file whose layers, or micro-batches, other files may tell. */
struct waiting {
	struct sequence sequence;
	struct job job;
	const char *source;
};

struct answers {
	struct timings timings;
	struct outside outside;
	struct memory memory;
	struct observations observed;	/* with -kernels */
	int stages;		/* as files show them; 0: none does */
	struct operations operations;
	struct logs logs;
	int micro;		/* micro-batches of a step as files show them; 0: none does */
	const char *micro_source;
	bool micro_sure;	/* one of them proves it */
	struct layer_model model;	/* what they show of a layer */
	int nwaiting;
	struct waiting *waiting;
	int tables;		/* of collectives that were timed alone */
	int files;		/* whose layers are told by what repeats */
	struct body_kinds kinds;	/* of body layers, in files whose layers nobody names */
	struct hints found;	/* layers that occur in any file */
};

void answers_init(struct answers *, const struct classes *);
/* A file shows MICRO micro-batches in a step; SURE: it proves them. */
void answers_micro(struct answers *, int micro, bool sure, const char *source);
void answers_free(struct answers *);

#endif
