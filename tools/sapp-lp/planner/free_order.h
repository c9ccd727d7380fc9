/*
 * Free order: plan the order of operations also. Starting from the plan of a fixed schedule, alternately improve the
 * order of operations within its memory, and place the layers anew for this order.
 */
#ifndef FREE_ORDER_H
#define FREE_ORDER_H

#include "planner.h"

/* A plan and its order of operations. */
struct free_order {
	struct plan plan;		/* plan for schedule custom, without a name */
	char *order;			/* order of the plan's schedule, in the format of schedule_custom.c */
	double step_time;		/* ms */
	double whole;			/* ms, including time outside the pipeline */
	double lower_bound;		/* ms, for any order: order_bound() */
	char *fault;			/* answer_fault() of this answer, or of a plan for its order; NULL: none */
};

/*
 * Return whether a search for an order can start with the schedule of this shape. It cannot with sequence splits or two
 * models.
 */
bool free_order_possible(const struct shape *);
/*
 * Start with PLAN, which fits problem P, and continue until DEADLINE, a time of clock_now(), or until no improvement is
 * found. Steps are those on DEVICES, whose transfers may differ from P's. There the result is never longer than PLAN in
 * its own schedule. Caller frees.
 */
struct free_order free_order_find(const struct problem *p, const struct plan *, const struct devices *,
    struct list limit, const struct effort *, double deadline);
void free_order_free(struct free_order *);

#endif
