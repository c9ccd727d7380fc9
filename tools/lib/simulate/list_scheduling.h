/*
 * List scheduling: a new order for the operations of a schedule. Whenever a stage is free it runs the most urgent
 * operation that is there and for which it has memory; weights' gradients fill the time in which it would wait
 * (Qi et al., arXiv 2401.10241).
 */
#ifndef LIST_SCHEDULING_H
#define LIST_SCHEDULING_H

#include "lib/schedule/schedule.h"
#include "load.h"
#include "room.h"

struct rule {
	/*
	 * Of a forward and a backward: whichever is there, one of the two or in turn first; strictly in turn from the
	 * first backward on; or as in the schedule given.
	 */
	enum urgent { BACKWARD_FIRST, FORWARD_FIRST, IN_TURN, STRICTLY, AS_BEFORE, URGENTS } urgent;
	bool deep;		/* of two of a kind, the one further on its way through the model */
	double fit;		/* run a weights' gradient if this part of it fits before the next data come */
};

/* Can the order be changed? Not where operations run together. */
bool list_schedulable(const struct schedule *);
/*
 * Operations of BASE in another order, micro-batches of a chunk in that of BASE; free with schedule_free(). False when
 * stages would wait for one another, or for memory.
 */
bool list_schedule(const struct schedule *base, const struct load *, const struct room *, struct rule,
    struct schedule *result);
/* The same for several rules: into an order of BASE's operations, which is any when it is false. */
struct lister *lister_new(const struct schedule *base, const struct load *, const struct room *);
bool lister_list(struct lister *, struct rule, struct schedule *order);
void lister_free(struct lister *);

#endif
