/* Pool: the shop, the best orders found, and the order on trial. Private to shop_orders.c. */
#ifndef SHOP_POOL_H
#define SHOP_POOL_H

#include "shop_blocks.h"
#include "shop_list.h"

/* A step counts as shorter below this fraction of another. */
#define SHORTER (1 - 1e-9)

/* Everything that determines a list, with its storage. */
struct recipe {
	struct listing how;
	int *cap;
	enum times { REAL, ONES, MEANS, TIMES } times;
};

/* The best order at a lane. */
struct best {
	struct schedule order;
	double step;
	struct recipe recipe;
	bool listed;		/* built from its recipe */
};

struct pool {
	struct shop shop;
	struct shop_lister *lister;
	struct schedule trial;
	struct best best[SHOP_LANES];
	double *time[TIMES];
	double *key;
	double step[SHOP_LANES];	/* steps of the last order considered */
	double left;		/* operations */
	double deadline;	/* s of clock_now(); infinity: none */
	struct vblocks block;
	double *most;		/* maximum number of pieces on a stage, [stage] */
	uint64_t random;
};

/* Create a pool for orders of a schedule's operations; the caller sets lister, as it refers to the pool's shop. */
struct pool pool_new(const struct schedule *, const struct load *, const struct room *, double operations,
    double deadline);
/* Count OPERATIONS of work; none is left after the deadline. */
void pool_spend(struct pool *, double operations);
void pool_free(struct pool *);
struct recipe recipe_new(const struct pool *);
void recipe_copy(const struct pool *, struct recipe *to, const struct recipe *from);
/* Copy an order of the same operations. */
void order_copy(struct schedule *to, const struct schedule *from);
/* Evaluate the order on trial at all lanes. RECIPE: its list, or NULL. KNOWN: it fits. */
void consider(struct pool *, const struct recipe *, bool known);
/* Get the starts of an order's operations at a lane, [stage][queue][micro]. */
void starts_of(struct pool *, const struct schedule *, int lane, double *start);

#endif
