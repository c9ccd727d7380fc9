/* The shop, the best orders found, and the order that is being evaluated. Only shop_orders.c includes this. */
#ifndef SHOP_POOL_H
#define SHOP_POOL_H

#include "shop_blocks.h"
#include "shop_list.h"

/* A step counts as shorter than another one below this fraction of it. */
#define SHORTER (1 - 1e-9)

/* All that determines a list schedule, and storage for it. */
struct recipe {
	struct listing how;
	int *cap;
	enum times { REAL, ONES, MEANS, TIMES } times;
};

/* The best order under the transfer times of a lane. */
struct best {
	struct schedule order;
	double step;
	struct recipe recipe;
	bool listed;		/* the order was built from recipe */
};

struct pool {
	struct shop shop;
	struct shop_lister *lister;
	struct schedule trial;
	struct best best[SHOP_LANES];
	double *time[TIMES];
	double *key;
	double step[SHOP_LANES];	/* ms of the last order evaluated, by lane */
	double left;		/* number of operations that may still be evaluated */
	double deadline;	/* s of clock_now(); infinity: none */
	struct vblocks block;
	double *most;		/* maximum number of pieces that fit on each stage, [stage] */
	uint64_t random;
};

/* Create a pool for orders of a schedule's operations. The caller sets LISTER, which refers to the shop in the pool. */
struct pool pool_new(const struct schedule *, const struct load *, const struct room *, double operations,
    double deadline);
/* Subtract OPERATIONS from the work that is left. After the deadline set it to 0. */
void pool_spend(struct pool *, double operations);
void pool_free(struct pool *);
struct recipe recipe_new(const struct pool *);
void recipe_copy(const struct pool *, struct recipe *to, const struct recipe *from);
/* Copy an order of the same operations. */
void order_copy(struct schedule *to, const struct schedule *from);
/*
 * Evaluate the trial order in all lanes, and keep it where it is the best. RECIPE: its recipe; NULL: it is not a list
 * schedule. KNOWN: it is known to fit the memory.
 */
void consider(struct pool *, const struct recipe *, bool known);
/* Get the ms at which the operations of an order start under the transfer times of a lane, [stage][queue][micro]. */
void starts_of(struct pool *, const struct schedule *, int lane, double *start);

#endif
