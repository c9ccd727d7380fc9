/*
 * Pool: the job that orders are made of, the best of them so far, and room for the one on trial. Private to
 * job_orders.c.
 */
#ifndef JOB_POOL_H
#define JOB_POOL_H

#include "job_blocks.h"
#include "job_list.h"

/* A step is shorter than another one below this part of it. */
#define SHORTER (1 - 1e-9)

/* All that makes a list, and room for what it points to. */
struct recipe {
	struct listing how;
	int *cap;
	enum times { REAL, ONES, MEANS, TIMES } times;
};

/* The best at a lane. */
struct best {
	struct schedule order;
	double step;
	struct recipe recipe;
	bool listed;		/* by its recipe */
};

struct pool {
	struct job job;
	struct job_lister *lister;
	struct schedule trial;
	struct best best[JOB_LANES];
	double *time[TIMES];
	double *key;
	double step[JOB_LANES];	/* of the order considered last */
	double left;		/* operations */
	struct vblocks block;
	double *most;		/* pieces that fit on a stage, [stage] */
	uint64_t random;
};

/* For orders of a schedule's operations; lister is the caller's to set, as it refers to the job in its place. */
struct pool pool_new(const struct schedule *, const struct load *, const struct room *, double operations);
void pool_free(struct pool *);
struct recipe recipe_new(const struct pool *);
void recipe_copy(const struct pool *, struct recipe *to, const struct recipe *from);
/* Of an order of the same operations. */
void order_copy(struct schedule *to, const struct schedule *from);
/* Evaluate the order on trial at all lanes. RECIPE: how it was listed, or NULL. KNOWN: it fits. */
void consider(struct pool *, const struct recipe *, bool known);
/* When the operations of an order begin at a lane, [stage][queue][micro]. */
void starts_of(struct pool *, const struct schedule *, int lane, double *start);

#endif
