/*
 * Operations: the timeline of a training run with an event for every forward, backward and transfer of a stage, with
 * step and micro-batch in its arguments, and events for other parts of the step.
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stdio.h>

#include "sapp-trace/layers/step.h"
#include "sapp-trace/read/event.h"

enum operation_kind { OPERATION_FORWARD, OPERATION_BACKWARD, OPERATION_TRANSFER, OPERATION_PART };

/* Partner of a transfer relative to its stage; unknown for several at once. */
enum side { SIDE_UNKNOWN, SIDE_NEXT, SIDE_BEFORE };

struct trace_operation {
	int64_t start, end;	/* ns */
	long step;
	int thread;		/* in operations.thread; after operations_resolve() that of its rank */
	int chunk, micro;	/* -1: unknown */
	int kind;		/* enum operation_kind */
	int part;		/* in operations.part; transfers: enum side */
};

struct thread {			/* of a process */
	char *pid, *tid;	/* as written */
	int stage, tensor;	/* from its name; -1: unknown */
	int pipeline;		/* number among parallel pipelines, from 0 */
	int rank;		/* rank that printed its operations; -1: from a timeline */
	/* Such a rank's step, operations by kind, and the last forward's micro-batch. */
	long step;
	int count[2], micro;
	bool either;		/* times of its operations may be their ends */
};

struct operations {
	size_t n;
	struct trace_operation *at;
	int threads;
	struct thread *thread;
	int last;		/* the last one found */
	int parts;
	char **part;		/* names of parts outside the pipeline */
	char *source;		/* files read */
	bool any;		/* has a forward or a backward */
};

/* Take an event of an operation. Return false if the event is of another kind. */
bool operations_event(struct operations *, const struct event *, const struct scan *);
/* Return the side of a transfer by its name: "forward-send", "recv_backward", "forward-send-backward-recv". */
enum side operation_side(const char *name, size_t n);
/* Return the thread of a rank that prints its operations. */
int operations_rank(struct operations *, int rank, const struct scan *);
/* Return a part of a step by its name in Megatron-LM's timers. */
int operations_part(struct operations *, const char *name, const struct scan *);
/* Record that operations came from the file PATH. */
void operations_source(struct operations *, const char *path);
/*
 * Write step and timing records of each stage, and a chunks record of the slowest pipeline, or with REPLAY one per step
 * and pipeline. Exits if the operations do not form a pipeline.
 */
void operations_write(FILE *, struct operations *, struct step_range, bool replay);
void operations_free(struct operations *);

#endif
