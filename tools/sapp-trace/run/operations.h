/*
 * Operations: a timeline of a training run with an event for every forward, backward and transfer of a stage. The
 * events' arguments have step and micro-batch. Other events are for other parts of the step.
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stdio.h>

#include "sapp-trace/layers/step.h"
#include "sapp-trace/read/event.h"

enum operation_kind { OPERATION_FORWARD, OPERATION_BACKWARD, OPERATION_TRANSFER, OPERATION_PART };

/* Position of a transfer's partner relative to its stage; unknown if a transfer has several partners. */
enum side { SIDE_UNKNOWN, SIDE_NEXT, SIDE_BEFORE };

struct trace_operation {
	int64_t start, end;	/* ns */
	long step;
	int thread;		/* index in operations.thread; after operations_resolve() the thread of its rank */
	int chunk, micro;	/* -1: unknown */
	int kind;		/* enum operation_kind */
	int part;		/* index in operations.part; of a transfer: enum side */
};

struct thread {			/* a thread of a process */
	char *pid, *tid;	/* as written in the timeline */
	int stage, tensor;	/* from the thread's name; -1: unknown */
	int pipeline;		/* index among parallel pipelines, from 0 */
	int rank;		/* rank that printed its operations; -1: they are from a timeline */
	/*
	 * Of a rank that prints operations: its current step, its number of operations by kind, and the micro-batch of
	 * its last forward.
	 */
	long step;
	int count[2], micro;
	bool either;		/* whether the times of its operations may be their ends */
};

struct operations {
	size_t n;
	struct trace_operation *at;
	int threads;
	struct thread *thread;
	int last;		/* index of the thread found last */
	int parts;
	char **part;		/* names of the parts outside of the pipeline */
	char *source;		/* names of the files read */
	bool any;		/* whether any operation is a forward or a backward */
};

/* Keep an event if it is an operation. Return false if it is another event. */
bool operations_event(struct operations *, const struct event *, const struct scan *);
/* Return the side of a transfer from its name: "forward-send", "recv_backward", "forward-send-backward-recv". */
enum side operation_side(const char *name, size_t n);
/* Return the index of the thread for a RANK that prints its operations. */
int operations_rank(struct operations *, int rank, const struct scan *);
/* Return the index of the part of a step that has this NAME in Megatron-LM's timers. */
int operations_part(struct operations *, const char *name, const struct scan *);
/* Record that operations came from the file PATH. */
void operations_source(struct operations *, const char *path);
/*
 * Write step and timing records of each stage, and a chunks record of the slowest pipeline. With REPLAY, write a chunks
 * record for each step and pipeline. Exits if the operations do not form a pipeline.
 */
void operations_write(FILE *, struct operations *, struct step_range, bool replay);
void operations_free(struct operations *);

#endif
