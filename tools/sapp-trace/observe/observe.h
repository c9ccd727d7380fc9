/* Observe: what a profile shows within layers: kernels, collectives, tensors, memory. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include <stdio.h>

#include "lib/record/observed.h"
#include "sapp-trace/job/outside.h"
#include "sapp-trace/layer/class.h"
#include "sapp-trace/read/csv.h"

struct where {			/* a kernel, collective or tensor is */
	int stage, part, phase;	/* enum observed_part; enum timing_phase or PHASE_OPTIMIZER */
	int class;		/* -1: of none */
};

struct seen {			/* one kernel, or tensor, in one layer and micro-batch */
	struct where at;
	uint32_t key;		/* in keys: "TYPE|INPUT|OUTPUT|TYPES|CORE", or the operator's name */
	uint32_t type;		/* in keys, alone */
	uint32_t occurrence;	/* of the type in the layer; outside, 0 */
	uint32_t order;
	double value;		/* ms, or bytes */
	int life;		/* enum observed_life, of tensors */
};

struct call {			/* of a collective, by one rank */
	struct where at;
	char *name, *group;	/* as other ranks know them */
	int rank, op, within;	/* WITHIN a layer */
	long step;
	double bytes, time;	/* as its links saw them; ms */
	bool all;		/* bytes are those of the whole group */
	bool between_nodes;
};

struct rank_seen {		/* a file, of a rank */
	int rank, stage, steps;
};

struct observations {
	const char *run;	/* its name */
	const char *runs;	/* -runs, or NULL */
	double step_time;	/* ms; 0: not known */
	int nodes;		/* of the run; 0: not said */
	struct job job;		/* degrees, as files say them */
	int micro;
	struct keys keys;
	size_t nkernels, ntensors, ncalls, nranks;
	struct seen *kernel, *tensor;
	struct call *call;
	struct rank_seen *ranks;
};

/* Add the kernels of a file. */
void observe(struct observations *, const struct rank_run *);
/* Where NS is among pieces by their start, or outside of all. */
const struct piece *piece_at(const struct piece *const *sorted, size_t n, int64_t ns);
struct where where_of(const struct piece *, const struct layout *, int step, int64_t ns, int stage);
/* The run, which all that is of it comes behind. */
void observations_write_run(FILE *, struct observations *);
void observations_write(FILE *, struct observations *, const struct classes *);
/* What a collective's name says that it is, enum observed_op; -1: nothing. */
int op_of(const char *name);
/* The same of their collectives. */
void collectives_add(struct observations *, const struct rank_run *, const struct piece *const *sorted);
void collectives_write(FILE *, struct observations *);
/* Tensors by the operator_memory.csv beside a file. */
void tensors_add(struct observations *, const struct rank_run *, const struct piece *const *sorted);
/* By one that is open. */
void tensors_table(struct observations *, const struct rank_run *, const struct piece *const *sorted, struct csv *);
void observations_free(struct observations *);

#endif
