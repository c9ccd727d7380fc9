/* Timed schedules: the shortest of several list schedules, improved. */
#include "timed_schedule.h"

#include <math.h>

#include "order_search.h"
#include "simulation.h"

/* Operations laid out or simulated in all: some hundredths of a second for the search, and few lists of large ones. */
#define LIST_OPERATIONS 6e6
#define SEARCH_OPERATIONS 2e6
#define SEARCH_ORDERS 4000	/* of small ones */
#define SHORTER (1 - 1e-9)	/* than rounding makes a step */

/* The rules tried, those that help most often first. */
static const struct rule rules[] = {
	{ AS_BEFORE, false, 1 },
	{ BACKWARD_FIRST, true, 0 },
	{ BACKWARD_FIRST, true, 1 },
	{ STRICTLY, true, 0 },
	{ AS_BEFORE, false, 0 },
	{ IN_TURN, true, 0.5 },
	{ IN_TURN, true, 1 },
	{ STRICTLY, true, 1 },
	{ BACKWARD_FIRST, true, 0.5 },
	{ AS_BEFORE, false, 0.5 },
	{ IN_TURN, true, 0 },
	{ FORWARD_FIRST, true, 0 },
	{ FORWARD_FIRST, true, 1 },
	{ BACKWARD_FIRST, false, 0.5 },
};

static double
step_of(struct simulation *sim, const struct schedule *s, const struct load *load)
{
	return simulation_run(sim, s, load) ? sim->step_time : -1;
}

/* Put the shortest of the list schedules in place of S. */
static void
take_shortest(struct schedule *s, const struct load *load, const struct room *room)
{
	struct schedule base = schedule_copy(s), other;
	struct simulation sim = { 0 };
	double shortest = step_of(&sim, s, load), room_left = LIST_OPERATIONS, step;

	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		room_left -= (double)schedule_ops(s);
		if (room_left < 0)
			break;
		if (!list_schedule(&base, load, room, rules[i], &other))
			continue;
		step = step_of(&sim, &other, load);
		if (step >= 0 && step < shortest * SHORTER && room_enough(room, &other, load)) {
			struct schedule longer = *s;

			*s = other;
			other = longer;
			shortest = step;
		}
		schedule_free(&other);
	}
	simulation_free(&sim);
	schedule_free(&base);
}

struct schedule
timed_schedule(const struct shape *q, const struct load *load)
{
	struct schedule s = schedule_new(q), base;
	struct load inside = *load;
	struct simulation sim = { 0 };
	struct room room;

	if (!schedule_timed(q->kind) || load->blocking || (q->micro > q->stages && !load_delayed(load)))
		return s;
	base = schedule_copy(&s);
	inside.overhead.n = inside.early.n = 0;
	room = room_of(&s, load);
	take_shortest(&s, &inside, &room);
	order_search(&s, &inside, &room, fmin(SEARCH_OPERATIONS, SEARCH_ORDERS * (double)schedule_ops(&s)), 1);
	room_free(&room);
	/* What is outside the pipeline may be long enough for another stage to be the last one. */
	if (step_of(&sim, &s, load) > step_of(&sim, &base, load)) {
		schedule_free(&s);
		s = base;
	} else {
		schedule_free(&base);
	}
	simulation_free(&sim);
	return s;
}

struct schedule
timed_schedule_of_plans(const struct shape *q, const struct network *net, double comm)
{
	struct load load;
	struct schedule s;

	if (!schedule_timed(q->kind))
		return schedule_new(q);
	load = load_even(net, q, comm);
	s = timed_schedule(q, &load);
	load_free(&load);
	return s;
}
