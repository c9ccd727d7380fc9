/* Zero-bubble schedules whose orders depend on the times of operations. */
#ifndef TIMED_SCHEDULE_H
#define TIMED_SCHEDULE_H

#include "lib/schedule/schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/room.h"

/*
 * Return an order for a load: the order of schedule_new(), or a shorter one. A piece counts as held until its W. The
 * maximum number of pieces per stage is the maximum over stages in schedule_new(). It is the number that the scheme
 * allows if that is larger. Caller frees with schedule_free().
 */
struct schedule timed_schedule(const struct shape *, const struct load *);
/* Return the room that such an order may use. It does not depend on the order found. */
struct room timed_room(const struct shape *, const struct load *);
/*
 * Return an order for a load within LIMIT MB on each stage, including parameters. An empty LIMIT means no limit. If no
 * order within the limit is found, return the order of schedule_new().
 */
struct schedule timed_schedule_within(const struct shape *, const struct load *, struct list limit);
/*
 * Return a lower bound, ms, of the step over all orders of a schedule's operations. Orders may use the memory of
 * timed_schedule(), or LIMIT, or the memory that MADE uses if it is more. Return 0 if no bound is known.
 */
double timed_bound(const struct schedule *made, const struct load *, struct list limit);
/*
 * Return one order for all plans of a network on these devices. It is made for equal pieces with the network's times
 * without recomputation.
 */
struct schedule timed_schedule_of_plans(const struct shape *, const struct network *, const struct devices *);
/* Return one order for all plans, given the load that load_even() returns. */
struct schedule timed_schedule_even(const struct shape *, const struct load *);

#endif
