/* Run: one plan or pipeline of chunks to be simulated, and everything that takes. */
#ifndef RUN_H
#define RUN_H

#include "lib/simulate/load.h"
#include "lib/record/record.h"
#include "lib/simulate/simulation.h"

struct options {
	bool blocks;			/* -e */
	int naive;			/* 0 or 1 */
	const char *manual;		/* NULL: none */
	struct list limit;		/* -mem; n = 0: as in the stream */
	struct list comm;		/* -comm; n = 0: as in the stream */
	struct list speed;		/* -speed; n = 0: as in the stream */
	double offload;			/* -offload, GB/s; 0: as in the stream */
	int transfers;			/* enum transfer_mode; -1: as in the stream */
	int tokens;			/* -tokens, a sequence's length; 0: not asked for */
	int devices;			/* -devices; 0: not said */
	bool slopes;			/* -slopes */
	bool why;			/* -why */
	bool free;			/* -free */
	const char *order;		/* -order, the text; NULL: as in the stream */
	const char *order_path;		/* where it is from */
	const char *chrome, *csv;	/* files to write blocks to; NULL: none */
};

struct run {
	const char *name;
	struct place place;
	size_t before;			/* number of the record it is written before */
	struct plan *added;		/* a plan that is not in the stream; NULL: none */
	const struct plan *plan;	/* NULL: chunks */
	struct shape shape;
	char *order;			/* of its own, that of the shape; NULL: none */
	double bound;			/* ms, of -free: of all orders; 0: none known */
	struct load load;
	struct load pace;		/* by which a plan's schedule is timed; stages = 0: by the load */
	struct table sample[2];		/* of forwards, backwards: measured factors to draw from; the record's */
	struct list limit;		/* n = 0: none known */
	const struct model *model;	/* NULL: not known */
};

struct runs {
	int n;
	struct run *at;
	struct sim *result;		/* [n] */
	int failed;			/* orders that cannot run */
	double operations, simulated;	/* of all schedules, and these under all loads */
};

/* Everything in the stream that can be simulated, with the plans that the options add. */
struct runs runs_find(const struct records *, const struct options *);
/* Fill the results. An order that cannot run is told on stderr and left without one. */
void runs_simulate(struct runs *, const struct options *);
void runs_tell_speed(const struct runs *);
void runs_free(struct runs *);

/* In which order it runs; to be freed. */
struct schedule run_schedule(const struct run *);
/* Simulate again to look inside; the caller frees both. False when the order cannot run. */
bool run_open(const struct run *, struct schedule *, struct simulation *);

#endif
