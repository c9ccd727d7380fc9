/* Free order: built from times, or taken from a schedule with the same pieces. */
#include "free.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memstream.h"
#include "lib/order/shop_bound.h"
#include "lib/order/shop_orders.h"
#include "lib/order/timed_schedule.h"
#include "lib/schedule/scheme.h"

/* Maximum work in counted operations, so that the order is reproducible, and maximum number of orders tried. */
static const double MADE = 4e7, ORDERS = 40000;
static const double SHORTER = 1 - 1e-9;

/* Return the MB of activations that each stage may have: within the limits, or as much as the schedule needs. */
static struct room
room_for(const struct sim_run *r, const struct schedule *s)
{
	struct room room = room_of(s, &r->load);

	free(room.live);
	room.live = NULL;
	for (int i = 0; i < s->stages && r->limit.n > 0; i++)
		room.memory.at[i] = fmax(room.memory.at[i], list_get(r->limit, i) - list_get(r->load.fixed, i));
	return room;
}

static void
enlarge(struct room *room, const struct sim_run *r, const struct schedule *s)
{
	struct room other = room_of(s, &r->load);

	for (int i = 0; i < s->stages; i++)
		room->memory.at[i] = fmax(room->memory.at[i], other.memory.at[i]);
	room_free(&other);
}

static bool
has(const struct schedule *s, enum phase phase)
{
	for (size_t i = 0; i < schedule_ops(s); i++)
		if (s->op[i].phase == phase)
			return true;
	return false;
}

static bool
has_joined(const struct schedule *s)
{
	for (size_t i = 0; i < schedule_ops(s); i++)
		if (s->op[i].joined != 0)
			return true;
	return false;
}

/* Return whether another schedule has the same pieces and operations. */
static bool
comparable(const struct schedule *s, const struct shape *q)
{
	struct schedule other;
	bool same;

	if (schedule_problem(q) != NULL || schedule_mirrored(q->kind))
		return false;
	other = schedule_new(q);
	same = memcmp(other.after, s->after, (size_t)(s->stages * s->chunks) * sizeof *s->after) == 0 &&
	    schedule_ops(&other) == schedule_ops(s) && has(&other, PHASE_I) == has(s, PHASE_I) && !has_joined(&other);
	schedule_free(&other);
	return same;
}

/* Replace S by OTHER if OTHER is shorter. Free the longer schedule. */
static void
take_shorter(struct schedule *s, struct schedule other, const struct load *load)
{
	if (simulation_step(&other, load) < SHORTER * simulation_step(s, load)) {
		struct schedule longer = *s;

		*s = other;
		other = longer;
	}
	schedule_free(&other);
}

/* Return whether every order of the schedule's operations fits. */
static bool
always_fits(const struct shape *q, const struct load *load, const struct room *room)
{
	struct room most = timed_room(q, load);
	bool fits = true;

	for (int i = 0; i < q->stages; i++)
		fits &= most.memory.at[i] <= room_most(room, i);
	room_free(&most);
	return fits;
}

/*
 * Improve S. The result is never longer than another schedule that fits. Orders are built from START, the best order
 * without transfers, under REST, the load without transfers. So the orders tried do not depend on transfers, and slower
 * transfers never shorten the step.
 */
static void
improve(struct schedule *s, const struct load *load, struct schedule start, const struct load *rest,
    const struct room *room)
{
	enum schedule_kind own = s->shape.kind;

	for (int kind = 0; kind < SCHEDULE_KINDS; kind++) {
		struct shape q = { .kind = (enum schedule_kind)kind, .stages = s->stages, .chunks = s->chunks,
		    .micro = s->micro };
		struct schedule other;

		if (q.kind == own || q.kind == SCHEDULE_CUSTOM || schedule_scheme(q.kind)->within || !comparable(s, &q))
			continue;
		other = timed_schedule(&q, rest);
		if (room_enough(room, &other, rest))
			take_shorter(&start, other, rest);
		else
			schedule_free(&other);
		if (load_delayed(load) && always_fits(&q, load, room))
			take_shorter(s, timed_schedule(&q, load), load);
	}
	shop_orders(&start, load, room, fmin(MADE, ORDERS * (double)schedule_ops(s)), INFINITY);
	take_shorter(s, start, load);
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
free_order_give(struct sim_run *r)
{
	struct sim_run rest = *r;
	struct schedule before = run_schedule(r), s = schedule_copy(&before), start;
	struct shape custom = { .kind = SCHEDULE_CUSTOM, .stages = s.stages, .chunks = s.chunks, .micro = s.micro };
	struct room room;
	char *text;
	const char *problem = schedule_order_problem(&r->shape);

	if (problem == NULL && has_joined(&before))
		problem = "schedules that overlap operations have no free order";
	if (problem != NULL)
		place_die(r->place, "-free: '%s': %s", r->name, problem);
	rest.load = load_undelayed(&r->load);
	rest.pace = load_undelayed(&r->pace);
	rest.load.transfers = rest.pace.transfers = TRANSFERS_HIDDEN;
	start = load_delayed(&r->load) ? run_schedule(&rest) : schedule_copy(&before);
	room = room_for(r, &start);
	if (simulation_step(&before, &r->load) < INFINITY)
		improve(&s, &r->load, start, &rest.load, &room);
	else
		schedule_free(&start);
	enlarge(&room, r, &before);
	r->bound = shop_bound(&before, &r->load, &room);
	text = order_text(&s);
	custom.order = text;
	schedule_free(&s);
	s = schedule_new(&custom);
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
