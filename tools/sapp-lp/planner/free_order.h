/*
 * Free order: the plan of a fixed schedule, the order of operations improved for it within the memory that it leaves,
 * and the layers placed anew for that order; in turn.
 */
#ifndef FREE_ORDER_H
#define FREE_ORDER_H

#include "planner.h"

/* A plan and the order that it is for. */
struct free_order {
	struct plan plan;		/* custom, without name */
	char *order;			/* of its schedule, as schedule_custom.c reads it */
	double step_time;		/* ms */
	double whole;			/* ms, with what is outside the pipeline */
	double lower_bound;		/* ms, whatever the order: order_bound() */
	char *fault;			/* answer_fault() of it, or of a plan for its order; NULL: none */
};

/* Can an order begin as that of a schedule? Not with sequence splits, nor with two models. */
bool free_order_possible(const struct shape *);
/*
 * Begin with a PLAN that fits, made for the problem P, and go on until the deadline of clock_now() or until nothing
 * gets shorter on these devices, whose transfers may be made in another way than in P. Never longer there than PLAN in
 * its own schedule. To be freed.
 */
struct free_order free_order_find(const struct problem *p, const struct plan *, const struct devices *,
    struct list limit, const struct effort *, double deadline);
void free_order_free(struct free_order *);

#endif
