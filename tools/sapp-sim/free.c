/* A free order: list schedules, the shortest of which is improved by moving operations of its longest chain. */
#include "free.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/simulate/job_orders.h"
#include "lib/simulate/order_search.h"

/* Operations laid out, and simulated from one seed on: counted, so that the order is the same on any machine. */
static const double LIST_OPERATIONS = 2e7, SLICE_OPERATIONS = 2e6;
static const double SLICE_ORDERS = 4000, MADE_ORDERS = 12000;	/* of small ones */
static const double SHORTER = 1 - 1e-9;
enum { SLICES = 30, IDLE_SLICES = 4 };

/* MB of activations on each stage. */
static struct room
room_for(const struct run *r, const struct schedule *s)
{
	struct room room = room_of(s, &r->load);

	free(room.live);
	room.live = NULL;
	for (int i = 0; i < s->stages && r->limit.n > 0; i++)
		room.memory.at[i] = fmax(room.memory.at[i], list_get(r->limit, i) - list_get(r->load.fixed, i));
	return room;
}

static void
improve(struct schedule *s, const struct load *load, const struct room *room)
{
	double operations = fmin(SLICE_OPERATIONS, SLICE_ORDERS * (double)schedule_ops(s));
	double step;

	if (schedule_timed(s->shape.kind))
		job_orders(s, load, room, fmin(LIST_OPERATIONS, MADE_ORDERS * (double)schedule_ops(s)));
	step = order_list(s, load, room, LIST_OPERATIONS);

	for (int i = 0, idle = 0; i < SLICES && idle < IDLE_SLICES; i++) {
		double now = order_search(s, load, room, operations, 1 + (uint64_t)i);

		idle = now < step * SHORTER ? 0 : idle + 1;
		step = now;
	}
}

static char *
order_text(const struct schedule *s)
{
	char *text = NULL;
	size_t length;
	FILE *f = memstream_open(&text, &length);

	schedule_order_write(f, s);
	memstream_close(f);
	return text;
}

void
free_order_give(struct run *r)
{
	struct schedule before = run_schedule(r), s = schedule_copy(&before);
	struct load inside = r->load;
	struct shape custom = { .kind = SCHEDULE_CUSTOM, .stages = s.stages, .chunks = s.chunks, .micro = s.micro };
	struct room room;
	char *text;
	const char *problem = schedule_order_problem(&r->shape);

	if (problem == NULL && !list_schedulable(&before))
		problem = "where operations run together they have no order of their own";
	if (problem != NULL)
		place_die(r->place, "-free: '%s': %s", r->name, problem);
	room = room_for(r, &before);
	inside.overhead.n = inside.early.n = 0;
	inside.blocking = false;
	if (simulation_step(&before, &inside) < INFINITY)
		improve(&s, &inside, &room);
	text = order_text(&s);
	custom.order = text;
	schedule_free(&s);
	s = schedule_new(&custom);
	/* What the search leaves out may make another order the shorter one: transfers that keep stages busy. */
	if (simulation_step(&s, &r->load) < SHORTER * simulation_step(&before, &r->load)) {
		r->order = text;
		r->shape = custom;
	} else {
		free(text);
	}
	room_free(&room);
	schedule_free(&s);
	schedule_free(&before);
}
