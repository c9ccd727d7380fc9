/* Timed schedules: the shortest of several list schedules, improved. */
#include "timed_schedule.h"

#include <math.h>

#include "order_search.h"
#include "simulation.h"

/* Operations laid out or simulated in all: some hundredths of a second for the search, and few lists of large ones. */
#define LIST_OPERATIONS 6e6
#define SEARCH_OPERATIONS 2e6
#define SEARCH_ORDERS 4000	/* of small ones */

/* What is outside the pipeline included. */
static double
step_of(const struct schedule *s, const struct load *load)
{
	struct simulation sim = { 0 };
	double step = simulation_run(&sim, s, load) ? simulation_whole(&sim) : -1;

	simulation_free(&sim);
	return step;
}

/* A shorter order, or the same. */
static void
shorten(struct schedule *s, const struct load *load)
{
	struct load inside = *load;
	struct room room = room_of(s, load);

	inside.overhead.n = inside.early.n = 0;
	order_list(s, &inside, &room, LIST_OPERATIONS);
	order_search(s, &inside, &room, fmin(SEARCH_OPERATIONS, SEARCH_ORDERS * (double)schedule_ops(s)), 1);
	room_free(&room);
}

struct schedule
timed_schedule(const struct shape *q, const struct load *load)
{
	struct schedule s = schedule_new(q), base;

	if (!schedule_timed(q->kind) || q->fixed ||
	    (load_delayed(load) ? load->blocking : q->micro > q->stages))
		return s;
	if (load->overhead.n == 0) {
		shorten(&s, load);
		return s;
	}
	base = schedule_copy(&s);
	shorten(&s, load);
	/* What is outside the pipeline may be long enough for another stage to be the last one. */
	if (step_of(&s, load) > step_of(&base, load)) {
		schedule_free(&s);
		s = base;
	} else {
		schedule_free(&base);
	}
	return s;
}

struct schedule
timed_schedule_of_plans(const struct shape *q, const struct network *net, const struct devices *devices)
{
	struct load load;
	struct schedule s;

	if (!schedule_timed(q->kind))
		return schedule_new(q);
	load = load_even(net, q, devices);
	s = timed_schedule(q, &load);
	load_free(&load);
	return s;
}
