/* Observe: kernels, collectives, tensors and memory within layers. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include <stdio.h>

#include "lib/record/observed.h"
#include "sapp-trace/layers/class.h"
#include "sapp-trace/read/csv.h"
#include "outside.h"

struct where {			/* place of a kernel, collective or tensor */
	int stage, part, phase;	/* enum observed_part; enum timing_phase or PHASE_OPTIMIZER */
	int class;		/* -1: none */
};

/* Return stage, part, phase and class as a number, to sort by. */
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

struct seen {			/* one kernel or tensor, per layer and micro-batch */
	struct where at;
	uint32_t key;		/* in keys: "TYPE|INPUT|OUTPUT|TYPES|CORE", or the operator's name */
	uint32_t type;		/* in keys, without the rest */
	uint32_t occurrence;	/* number among those of its type in the layer; outside layers 0 */
	uint32_t order;
	double value;		/* ms, or bytes */
	int life;		/* enum observed_life; tensors only */
};

struct call {			/* of a collective, by one rank */
	struct where at;
	uint32_t name, group;	/* in keys: names shared with other ranks */
	int rank, op;
	bool within;		/* within a layer */
	long step;
	double bytes, time;	/* on its links; ms */
	bool all;		/* bytes are the group's total */
	bool between_nodes;
};

struct rank_seen {		/* a file of a rank */
	int rank, stage, steps;
};

struct observations {
	const char *run;	/* its name */
	const char *runs;	/* -runs, or NULL */
	double step_time;	/* ms; 0: unknown */
	int nodes;		/* of the run; 0: unknown */
	struct trace_job job;		/* degrees, from the files */
	int micro;
	struct keys keys;
	size_t nkernels, ntensors, ncalls, nranks;
	struct seen *kernel, *tensor;
	struct call *call;
	struct rank_seen *ranks;
};

/* Add the kernels of a file. */
void observe(struct observations *, const struct rank_run *);
/* Return the piece at NS among those sorted by start, or NULL. */
const struct piece *piece_at(const struct piece *const *sorted, size_t n, int64_t ns);
struct where where_of(const struct piece *, const struct layout *, int step, int64_t ns, int stage);
/* Write the run record, before all its other records. */
void observations_write_run(FILE *, struct observations *);
void observations_write(FILE *, struct observations *, const struct classes *);
/* Add and write collectives. */
void collectives_add(struct observations *, const struct rank_run *, const struct piece *const *sorted);
void collectives_write(FILE *, struct observations *);
/* Add tensors from the operator_memory.csv next to a file. */
void tensors_add(struct observations *, const struct rank_run *, const struct piece *const *sorted);
/* Add tensors from an open table. */
void tensors_table(struct observations *, const struct rank_run *, const struct piece *const *sorted, struct csv *);
/* Return the calls per step on a rank of STAGE for N calls seen, rounded up. */
int calls_a_step(const struct observations *, int stage, int n);
void observations_free(struct observations *);

#endif
