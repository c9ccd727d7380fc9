/* Timed schedules: orders of zero bubble that look at the times. */
#ifndef TIMED_SCHEDULE_H
#define TIMED_SCHEDULE_H

#include "lib/schedule/schedule.h"
#include "load.h"
#include "room.h"

/*
 * The schedule for a load: that of schedule_new(), or a shorter order of it. No stage holds more pieces, whole until
 * their W, than the stage that has most in that of schedule_new(), or what its scheme says. Free with schedule_free().
 */
struct schedule timed_schedule(const struct shape *, const struct load *);
/* What it may hold, whatever its order. */
struct room timed_room(const struct shape *, const struct load *);
/*
 * The same within LIMIT MB on each stage, parameters included; n = 0: as timed_schedule(). Where no order is
 * within it, or none was found, that of schedule_new().
 */
struct schedule timed_schedule_within(const struct shape *, const struct load *, struct list limit);
/*
 * ms, what no order of a timed schedule's operations is shorter than, within the memory that they have above or the
 * LIMIT, or what the schedule MADE holds where that is more; 0: not known.
 */
double timed_bound(const struct schedule *made, const struct load *, struct list limit);
/*
 * That for all plans of a network, of which none is known better than others: the times are the model's without
 * recomputation, the same for every piece, on these devices.
 */
struct schedule timed_schedule_of_plans(const struct shape *, const struct network *, const struct devices *);
/* The same for a load of such times, load_even(). */
struct schedule timed_schedule_even(const struct shape *, const struct load *);

#endif
