/*
 * Free order: starting from the plan of a fixed schedule, alternately improve the order of operations within its
 * memory, and place the layers anew for that order.
 */
#ifndef FREE_ORDER_H
#define FREE_ORDER_H

#include "planner.h"

/* A plan and its order. */
struct free_order {
	struct plan plan;		/* custom, without name */
	char *order;			/* order of its schedule, in the format of schedule_custom.c */
	double step_time;		/* ms */
	double whole;			/* ms, including time outside the pipeline */
	double lower_bound;		/* ms, for any order: order_bound() */
	char *fault;			/* answer_fault() of this answer or of a plan for its order; NULL: none */
};

/* Return whether an order can start as that of a schedule: not with sequence splits or two models. */
bool free_order_possible(const struct shape *);
/*
 * Start with a fitting PLAN for problem P and continue until the deadline of clock_now(), or until no improvement on
 * these devices, whose transfers may differ from P's. Never longer there than PLAN in its own schedule. Caller frees.
 */
struct free_order free_order_find(const struct problem *p, const struct plan *, const struct devices *,
    struct list limit, const struct effort *, double deadline);
void free_order_free(struct free_order *);

#endif
