/* Observe: kernels, collectives, tensors and memory within layers. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include <stdio.h>

#include "lib/record/observed.h"
#include "sapp-trace/layers/class.h"
#include "sapp-trace/read/csv.h"
#include "outside.h"

struct where {			/* the place of a kernel, collective or tensor in a step */
	int stage, part, phase;	/* enum observed_part; enum timing_phase or PHASE_OPTIMIZER */
	int class;		/* -1: none */
};

/* Return a number that combines stage, part, phase and class, for sorting. */
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

struct seen {			/* a kernel or tensor, per layer and micro-batch */
	struct where at;
	uint32_t key;		/* index in keys: "TYPE|INPUT|OUTPUT|TYPES|CORE", or the operator's name */
	uint32_t type;		/* index in keys of TYPE alone */
	uint32_t occurrence;	/* number among the kernels of its type in the layer; 0 outside of layers */
	uint32_t order;
	double value;		/* ms, or bytes */
	int life;		/* enum observed_life; of a tensor */
};

struct call {			/* a collective, by one rank */
	struct where at;
	uint32_t name, group;	/* indices in keys; other ranks have the same names */
	int rank, op;
	bool within;		/* whether it is within a layer */
	long step;
	double bytes, time;	/* bytes on its links; ms */
	bool all;		/* whether bytes are the sum over the group */
	bool between_nodes;
};

struct rank_seen {		/* a file of a rank */
	int rank, stage, steps;
};

struct observations {
	const char *run;	/* name of the run */
	const char *runs;	/* value of -runs, or NULL */
	double step_time;	/* ms; 0: unknown */
	int nodes;		/* number of nodes of the run; 0: unknown */
	struct trace_job job;		/* degrees of the run, from the files */
	int micro;
	struct keys keys;
	size_t nkernels, ntensors, ncalls, nranks;
	struct seen *kernel, *tensor;
	struct call *call;
	struct rank_seen *ranks;
};

/* Add the kernels of a file to the observations. */
void observe(struct observations *, const struct rank_run *);
/* Return the piece at time NS, or NULL. SORTED: pieces by start. */
const struct piece *piece_at(const struct piece *const *sorted, size_t n, int64_t ns);
struct where where_of(const struct piece *, const struct layout *, int step, int64_t ns, int stage);
/* Write the run record. Call before writing other records of the run. */
void observations_write_run(FILE *, struct observations *);
void observations_write(FILE *, struct observations *, const struct classes *);
/* collectives_add() adds the collectives of a file, collectives_write() writes their records. */
void collectives_add(struct observations *, const struct rank_run *, const struct piece *const *sorted);
void collectives_write(FILE *, struct observations *);
/* Add tensors from the operator_memory.csv next to the file of RUN. */
void tensors_add(struct observations *, const struct rank_run *, const struct piece *const *sorted);
/* Add tensors from an open operator_memory.csv. */
void tensors_table(struct observations *, const struct rank_run *, const struct piece *const *sorted, struct csv *);
/* Return the number of calls per step on one rank of STAGE, if N calls were seen in total; rounded up. */
int calls_a_step(const struct observations *, int stage, int n);
void observations_free(struct observations *);

#endif
