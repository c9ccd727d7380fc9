/* Run: a plan or a pipeline of chunks to be simulated, with all its data. */
#ifndef RUN_H
#define RUN_H

#include "lib/record/record.h"
#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"

struct sim_options {
	bool blocks;			/* whether -e was given */
	int naive;			/* 1: also simulate full and no recomputation; 0 or 1 */
	const char *manual;		/* value of -manual; NULL: none */
	struct list limit;		/* value of -mem; n = 0: as in the stream */
	struct list comm;		/* value of -comm; n = 0: as in the stream */
	struct list speed;		/* value of -speed; n = 0: as in the stream */
	double offload;			/* value of -offload, GB/s; 0: as in the stream */
	int transfers;			/* enum transfer_mode; -1: as in the stream */
	int tokens;			/* value of -tokens, sequence length; 0: unset */
	int devices;			/* value of -devices; 0: unset */
	bool why;			/* whether -why was given */
	bool free;			/* whether -free was given */
	const char *order;		/* text of the order of -order; NULL: as in the stream */
	const char *order_path;		/* source of this order */
	const char *chrome;		/* file to write blocks to; NULL: none */
};

struct sim_run {
	const char *name;
	struct place place;
	size_t before;			/* index of the record that follows the result */
	struct plan *added;		/* a plan that is not in the stream; NULL: none */
	const struct plan *plan;	/* NULL: the run is of chunks */
	struct shape shape;
	char *order;			/* text of the shape's order, if the run owns it; NULL: none */
	double bound;			/* ms, with -free: bound over all orders; 0: unknown */
	struct load load;
	struct load pace;		/* load that determines the plan's order; stages = 0: load does */
	/* measured factors of forwards and of backwards, from which steps are sampled; the record owns them */
	struct table sample[2];
	struct list limit;		/* n = 0: unknown */
	const struct model *model;	/* NULL: unknown */
};

struct sim_runs {
	int n;
	struct sim_run *at;
	struct sim *result;		/* [n] */
	int failed;			/* number of runs whose order cannot run */
	double operations, simulated;	/* number of operations of all schedules, and simulated under all loads */
};

/* Find everything to simulate in the stream, and add the plans of the options. */
struct sim_runs sim_runs_find(const struct records *, const struct sim_options *);
/* Simulate all runs and set their results. An order that cannot run is reported on stderr, and has no result. */
void runs_simulate(struct sim_runs *, const struct sim_options *);
void runs_tell_speed(const struct sim_runs *);
void sim_runs_free(struct sim_runs *);

/* Return the schedule of a run; caller frees. */
struct schedule run_schedule(const struct sim_run *);
/* Simulate a run again for details; caller frees schedule and simulation. Return false if the order cannot run. */
bool run_open(const struct sim_run *, struct schedule *, struct simulation *);

#endif
