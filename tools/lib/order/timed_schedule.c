/* Room and budget of work for timed schedules. */
#include "timed_schedule.h"

#include <math.h>
#include <stdlib.h>

#include "lib/schedule/scheme.h"
#include "shop_bound.h"
#include "shop_orders.h"

/* Number of operations to evaluate: for a single question, for one of many. Maximum number of small orders. */
static const double ALONE = 2e7, AMONG_MANY = 2e6, ORDERS = 20000;

/*
 * Return the room that published generators assume. On every stage it is the MB of N pieces, where N is the maximum
 * number of pieces on a stage of the schedule. Pieces are held until their W.
 */
static struct room
room_of_pieces(const struct schedule *s, const struct load *load)
{
	const struct scheme *scheme = schedule_scheme(s->shape.kind);
	struct load whole = *load;
	struct room room;
	int most = 0;

	whole.kept = table_new(load->chunks, load->stages);
	for (int i = 0; i < load->chunks * load->stages; i++)
		whole.kept.at[i] = fmax(load->kept.at[i], load->activation.at[i]);
	room = room_of(s, &whole);
	for (int i = 0; i < s->stages; i++)
		most = room.live[i] > most ? room.live[i] : most;
	if (scheme->room != NULL)
		most = scheme->room(&s->shape, most);
	for (int i = 0; i < s->stages; i++)
		room.memory.at[i] *= (double)most / room.live[i];
	free(whole.kept.at);
	return room;
}

/* Return the room, MB of activations, that limits leave on each stage. */
static struct room
room_within(const struct load *load, struct list limit)
{
	struct room room = { .memory = list_new(load->stages) };

	for (int i = 0; i < load->stages; i++)
		room.memory.at[i] = list_get(limit, i) - list_get(load->fixed, i);
	return room;
}

static struct schedule
made(const struct shape *q, const struct load *load, struct list limit, double operations, bool unlike)
{
	struct schedule s = schedule_new(q);
	struct room room;

	if (!schedule_scheme(q->kind)->timed || q->fixed)
		return s;
	room = limit.n > 0 ? room_within(load, limit) : room_of_pieces(&s, load);
	room.unlike = unlike;
	shop_orders(&s, load, &room, fmin(operations, ORDERS * (double)schedule_ops(&s)), INFINITY);
	room_free(&room);
	return s;
}

struct room
timed_room(const struct shape *q, const struct load *load)
{
	struct schedule s = schedule_new(q);
	struct room room = schedule_scheme(q->kind)->timed ? room_of_pieces(&s, load) : room_of(&s, load);

	schedule_free(&s);
	return room;
}

struct schedule
timed_schedule(const struct shape *q, const struct load *load)
{
	return made(q, load, (struct list){ 0 }, ALONE, false);
}

struct schedule
timed_schedule_within(const struct shape *q, const struct load *load, struct list limit)
{
	return made(q, load, limit, ALONE, false);
}

double
timed_bound(const struct schedule *made, const struct load *load, struct list limit)
{
	struct schedule s = schedule_new(&made->shape);
	struct room room = limit.n > 0 ? room_within(load, limit) : room_of_pieces(&s, load);
	struct room held = room_of(made, load);
	double bound;

	for (int i = 0; i < s.stages; i++)
		room.memory.at[i] = fmax(room.memory.at[i], held.memory.at[i]);
	bound = shop_bound(made, load, &room);
	room_free(&held);
	room_free(&room);
	schedule_free(&s);
	return bound;
}

struct schedule
timed_schedule_even(const struct shape *q, const struct load *load)
{
	return made(q, load, (struct list){ 0 }, AMONG_MANY, true);
}

struct schedule
timed_schedule_of_plans(const struct shape *q, const struct network *net, const struct devices *devices)
{
	struct load load;
	struct schedule s;

	if (!schedule_scheme(q->kind)->timed)
		return schedule_new(q);
	load = load_even(net, q, devices);
	s = timed_schedule_even(q, &load);
	load_free(&load);
	return s;
}
