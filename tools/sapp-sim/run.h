/* Run: a plan or a pipeline of chunks to simulate, with all its data. */
#ifndef RUN_H
#define RUN_H

#include "lib/record/record.h"
#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"

struct sim_options {
	bool blocks;			/* -e */
	int naive;			/* 0 or 1 */
	const char *manual;		/* NULL: none */
	struct list limit;		/* -mem; n = 0: as in the stream */
	struct list comm;		/* -comm; n = 0: as in the stream */
	struct list speed;		/* -speed; n = 0: as in the stream */
	double offload;			/* -offload, GB/s; 0: as in the stream */
	int transfers;			/* enum transfer_mode; -1: as in the stream */
	int tokens;			/* -tokens, sequence length; 0: unset */
	int devices;			/* -devices; 0: unset */
	bool why;			/* -why */
	bool free;			/* -free */
	const char *order;		/* -order, the text; NULL: as in the stream */
	const char *order_path;		/* source of the order */
	const char *chrome;		/* file for blocks; NULL: none */
};

struct sim_run {
	const char *name;
	struct place place;
	size_t before;			/* index of the record that follows the result */
	struct plan *added;		/* a plan not in the stream; NULL: none */
	const struct plan *plan;	/* NULL: chunks */
	struct shape shape;
	char *order;			/* owned text of shape's order; NULL: none */
	double bound;			/* ms, with -free: bound of all orders; 0: unknown */
	struct load load;
	struct load pace;		/* load that determines a plan's schedule; stages = 0: use load */
	struct table sample[2];		/* of forwards and backwards: measured factors to sample; owned by the record */
	struct list limit;		/* n = 0: unknown */
	const struct model *model;	/* NULL: unknown */
};

struct sim_runs {
	int n;
	struct sim_run *at;
	struct sim *result;		/* [n] */
	int failed;			/* number of orders that cannot run */
	double operations, simulated;	/* of all schedules, and under all loads */
};

/* Find everything to simulate in the stream, and add the plans of the options. */
struct sim_runs sim_runs_find(const struct records *, const struct sim_options *);
/* Fill in the results. Reports an order that cannot run to stderr and leaves it without a result. */
void runs_simulate(struct sim_runs *, const struct sim_options *);
void runs_tell_speed(const struct sim_runs *);
void sim_runs_free(struct sim_runs *);

/* Return the schedule of a run; caller frees. */
struct schedule run_schedule(const struct sim_run *);
/* Simulate again for details; caller frees both. False if the order cannot run. */
bool run_open(const struct sim_run *, struct schedule *, struct simulation *);

#endif
