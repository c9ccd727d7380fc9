/* Timed schedules: zero-bubble orders that depend on times. */
#ifndef TIMED_SCHEDULE_H
#define TIMED_SCHEDULE_H

#include "lib/schedule/schedule.h"
#include "lib/simulate/load.h"
#include "lib/simulate/room.h"

/*
 * Return the schedule of schedule_new() for a load, or a shorter order of it. No stage holds more pieces, whole until
 * their W, than the maximum over stages in schedule_new(), or than its scheme allows. Free with schedule_free().
 */
struct schedule timed_schedule(const struct shape *, const struct load *);
/* Return its room, independent of its order. */
struct room timed_room(const struct shape *, const struct load *);
/*
 * Do the same within LIMIT MB on each stage, parameters included; an empty LIMIT limits nothing. If no order within the
 * limit was found, return the order of schedule_new().
 */
struct schedule timed_schedule_within(const struct shape *, const struct load *, struct list limit);
/*
 * Return a lower bound (ms) over all orders of a timed schedule's operations within the memory of timed_schedule(), of
 * LIMIT, or of the schedule MADE if it holds more. Return 0 if it is unknown.
 */
double timed_bound(const struct schedule *made, const struct load *, struct list limit);
/*
 * Return an order for all plans of a network alike: for times without recomputation, equal for all pieces, on these
 * devices.
 */
struct schedule timed_schedule_of_plans(const struct shape *, const struct network *, const struct devices *);
/* Do the same for a load_even() load. */
struct schedule timed_schedule_even(const struct shape *, const struct load *);

#endif
