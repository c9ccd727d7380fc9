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

/* Stage, part and phase, and behind them the class, as a number that sorts by them. */
static inline int64_t
where_number(struct where w)
{
	return ((((int64_t)w.stage << 4 | w.part) << 4 | w.phase) << 24) + w.class + 1;
}

static inline int64_t
place_number(struct where w)
{
	return where_number(w) >> 24;
}

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
	uint32_t name, group;	/* in keys: as other ranks know them */
	int rank, op;
	bool within;		/* a layer */
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
/* The same of their collectives. */
void collectives_add(struct observations *, const struct rank_run *, const struct piece *const *sorted);
void collectives_write(FILE *, struct observations *);
/* Tensors by the operator_memory.csv beside a file. */
void tensors_add(struct observations *, const struct rank_run *, const struct piece *const *sorted);
/* By one that is open. */
void tensors_table(struct observations *, const struct rank_run *, const struct piece *const *sorted, struct csv *);
/* How often a step has, on one rank of STAGE, what N calls were seen of; rounded up. */
int calls_a_step(const struct observations *, int stage, int n);
void observations_free(struct observations *);

#endif
