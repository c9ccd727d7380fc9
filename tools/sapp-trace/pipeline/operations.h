/*
 * Operations: the timeline of a training run that has one event for every forward, backward and transfer of a stage,
 * with the step and the micro-batch in its arguments, and beside them whatever else the step takes.
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stdio.h>

#include "sapp-trace/read/event.h"
#include "sapp-trace/time/step.h"

enum operation_kind { OPERATION_FORWARD, OPERATION_BACKWARD, OPERATION_TRANSFER, OPERATION_PART };

/* Which stage a transfer is with, from the stage whose event it is; of several at once it is not known. */
enum side { SIDE_UNKNOWN, SIDE_NEXT, SIDE_BEFORE };

struct operation {
	int64_t start, end;	/* ns */
	long step;
	int thread;		/* in operations.thread; from operations_resolve() on that of its rank */
	int chunk, micro;	/* -1: not said */
	int kind;		/* enum operation_kind */
	int part;		/* in operations.part; of a transfer enum side */
};

struct thread {			/* of a process */
	char *pid, *tid;	/* as they are written */
	int stage, tensor;	/* of its name; -1: not said */
	int pipeline;		/* which of those that run side by side, from 0 */
	int rank;		/* that printed its operations; -1: a timeline has them */
	/* Of such a rank: its step, operations of it so far by kind, the last forward's micro-batch. */
	long step;
	int count[2], micro;
	bool either;		/* the times of its operations may be those of their ends */
};

struct operations {
	size_t n;
	struct operation *at;
	int threads;
	struct thread *thread;
	int last;		/* the thread that was found last */
	int parts;
	char **part;		/* names of what lies outside the pipeline */
	char *source;		/* files they were read from */
	bool any;		/* a forward or a backward */
};

/* Take what is one; false: the event is something else. */
bool operations_event(struct operations *, const struct event *, const struct scan *);
/* Of a transfer by its name: "forward-send", "recv_backward", "forward-send-backward-recv". */
enum side operation_side(const char *name, size_t n);
/* The thread of a rank that prints its operations. */
int operations_rank(struct operations *, int rank, const struct scan *);
/* A part of a step by the name that Megatron-LM's timers have for it. */
int operations_part(struct operations *, const char *name, const struct scan *);
/* Operations came from the file PATH. */
void operations_source(struct operations *, const char *path);
/*
 * Write what they say: step and timing records of each stage and a chunks record of the slowest pipeline, or with
 * REPLAY one of each step and pipeline. Exits when they are not those of a pipeline.
 */
void operations_write(FILE *, struct operations *, struct step_range, bool replay);
void operations_free(struct operations *);

#endif
