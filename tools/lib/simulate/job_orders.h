/* Orders of a job: as many as there is work for, of which the shortest at the real times of transfers is taken. */
#ifndef JOB_ORDERS_H
#define JOB_ORDERS_H

#include "lib/schedule/schedule.h"
#include "load.h"
#include "room.h"

/*
 * The shortest of orders made, and of the schedule given if that fits, put into its place where there is one; backwards
 * are split, and it has one chunk a stage, or two that go forth and back. About so many OPERATIONS are laid out and
 * evaluated. Which orders are made depends on everything but the times of transfers. So slower transfers never make the
 * step shorter: the step of an order is a longest path, which does not fall when they grow, and neither does the least
 * of such steps.
 */
void job_orders(struct schedule *, const struct load *, const struct room *, double operations);

#endif
