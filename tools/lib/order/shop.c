/* Queues and times of a shop, and the longest path of an order. */
#include "shop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/simulate/simulation.h"

/* Transfer times of the rungs / mean time of a forward. */
static const double rung[RUNGS] = { 0, 0.12, 0.35, 0.9 };

static void
set_delays(struct shop *j, const struct load *load)
{
	double mean = 0;

	for (int i = 0; i < j->stages * j->chunks; i++)
		mean += j->time[i * PHASES] / (j->stages * j->chunks);
	for (int lane = 0; lane < SHOP_LANES; lane++) {
		j->delay[lane] = xcalloc((size_t)j->stages, sizeof(double));
		for (int s = 0; s < j->stages && j->stages > 1; s++)
			j->delay[lane][s] = lane < RUNGS ? rung[lane] * mean
			    : load_delay(load, s, (s + 1) % j->stages);
	}
}

static bool
any_split(const struct schedule *s)
{
	for (size_t i = 0; i < schedule_ops(s); i++)
		if (s->op[i].phase == PHASE_I)
			return true;
	return false;
}

static void
set_feeds(struct shop *j, const struct schedule *s)
{
	j->v = !j->whole && j->chunks == 2 && j->stages > 0;
	for (int i = 0; i < j->stages; i++) {
		j->v &= s->after[i] == (i + 1 < j->stages ? i + 1 : j->stages + i);
		for (int k = 0; k < j->queues; k++) {
			struct need need = schedule_need(s, i, (struct op){ .chunk = (uint16_t)(k / 2),
			    .phase = (uint8_t)queue_phase(j, k) });

			j->feed[i * j->queues + k] = (struct feed){ need.stage,
			    need.stage < 0 ? 0 : queue_number(need.op) };
		}
	}
}

static void
set_piece(struct shop *j, const struct load *load, int stage, int chunk)
{
	size_t at = (size_t)(stage * j->chunks + chunk);
	double *time = j->time + at * PHASES;

	for (int p = 0; p < PHASES; p++)
		time[p] = simulation_mean_duration(load, stage,
		    (struct op){ .chunk = (uint16_t)chunk, .phase = (uint8_t)p });
	j->activation[at] = table_get(load->activation, chunk, stage);
	if (j->whole) {
		time[PHASE_I] = time[PHASE_B];
		time[PHASE_W] = 0;
	} else {
		j->kept[at] = table_get(load->kept, chunk, stage);
		j->grows |= j->kept[at] > j->activation[at];
	}
}

struct shop
shop_new(const struct schedule *s, const struct load *load, const struct room *room)
{
	size_t pieces = (size_t)s->stages * (size_t)s->chunks;
	struct shop j = { .stages = s->stages, .chunks = s->chunks, .micro = s->micro, .queues = 2 * s->chunks,
	    .whole = !any_split(s), .load = load, .unlike = room->unlike };

	j.feed = xcalloc(2 * pieces, sizeof *j.feed);
	j.time = xcalloc(pieces * PHASES, sizeof *j.time);
	j.activation = xcalloc(pieces, sizeof *j.activation);
	j.kept = xcalloc(pieces, sizeof *j.kept);
	j.limit = xcalloc((size_t)s->stages, sizeof *j.limit);
	j.tail = xcalloc((size_t)s->stages, sizeof *j.tail);
	j.end = xcalloc(2 * pieces * (size_t)s->micro, sizeof *j.end);
	set_feeds(&j, s);
	for (int i = 0; i < s->stages; i++) {
		double transient = 0;

		for (int v = 0; v < s->chunks; v++) {
			set_piece(&j, load, i, v);
			transient = fmax(transient, load_transient(load, v, i));
		}
		j.tail[i] = load->early.n > 0 ? list_get(load->early, i) : 0;
		j.limit[i] = room_most(room, i) - transient;
	}
	set_delays(&j, load);
	return j;
}

struct schedule
shop_order(const struct shop *j, const struct schedule *s)
{
	struct schedule order = schedule_copy(s);
	size_t ops = (size_t)(j->whole ? 2 : 3) * (size_t)j->chunks * (size_t)j->micro;

	free(order.op);
	order.op = xcalloc(ops * (size_t)j->stages, sizeof *order.op);
	for (int i = 0; i <= j->stages; i++)
		order.first[i] = ops * (size_t)i;
	return order;
}

bool
shop_in_turn(const struct shop *j, const struct schedule *s)
{
	uint32_t *next = xcalloc((size_t)j->queues, sizeof *next);
	bool turn = true;

	for (int i = 0; i < j->stages; i++) {
		memset(next, 0, (size_t)j->queues * sizeof *next);
		for (size_t at = s->first[i]; at < s->first[i + 1]; at++)
			turn &= s->op[at].phase == PHASE_W || s->op[at].micro == next[queue_number(s->op[at])]++;
	}
	free(next);
	return turn;
}

void
shop_free(struct shop *j)
{
	free(j->feed);
	free(j->time);
	free(j->activation);
	free(j->kept);
	free(j->limit);
	free(j->tail);
	free(j->end);
	for (int lane = 0; lane < SHOP_LANES; lane++)
		free(j->delay[lane]);
}

/* Progress of a queue in shop_steps(). */
struct track {
	const struct shop_times *need;	/* ends that the queue's operations need; NULL: no dependency */
	const int *there;		/* number of these ends that are known */
	struct shop_times *end;
	struct shop_times delay;
	int done;
};

/* Progress of a stage in shop_steps(). */
struct walk {
	const struct op *next, *last;
	struct shop_times clock;
	struct track *track;	/* [queue] */
	const double *time;	/* [chunk][PHASES] */
};

static void
walk_new(struct walk *w, struct walk *all, const struct shop *j, const struct schedule *s, int stage)
{
	w->next = s->op + s->first[stage];
	w->last = s->op + s->first[stage + 1];
	w->time = j->time + stage * j->chunks * PHASES;
	for (int k = 0; k < j->queues; k++) {
		struct feed feed = queue_feed(j, stage, k);
		struct track *p = &w->track[k];

		p->end = j->end + (size_t)(stage * j->queues + k) * (size_t)j->micro;
		if (feed.stage < 0)
			continue;
		p->need = j->end + (size_t)(feed.stage * j->queues + feed.queue) * (size_t)j->micro;
		p->there = &all[feed.stage].track[feed.queue].done;
		for (int lane = 0; lane < SHOP_LANES; lane++)
			p->delay.at[lane] = shop_delay(j, lane, feed.stage, stage);
	}
}

/* Run operations until the data of the next one are missing. Return whether any ran. */
static bool
walk(struct walk *w)
{
	const struct op *op = w->next;
	struct shop_times clock = w->clock;

	for (; op < w->last; op++) {
		double time = w->time[op->chunk * PHASES + op->phase];
		struct track *p = &w->track[queue_number(*op)];

		if (op->phase == PHASE_W) {
			for (int i = 0; i < SHOP_LANES; i++)
				clock.at[i] += time;
			continue;
		}
		if (p->need != NULL) {
			const struct shop_times *need = &p->need[op->micro];

			if (*p->there <= (int)op->micro)
				break;
			for (int i = 0; i < SHOP_LANES; i++) {
				double at = need->at[i] + p->delay.at[i];

				clock.at[i] = clock.at[i] > at ? clock.at[i] : at;
			}
		}
		for (int i = 0; i < SHOP_LANES; i++)
			clock.at[i] += time;
		p->end[op->micro] = clock;
		p->done++;
	}
	if (op == w->next)
		return false;
	w->next = op;
	w->clock = clock;
	return true;
}

bool
shop_steps(struct shop *j, const struct schedule *s, double step[SHOP_LANES])
{
	struct walk *all = xcalloc((size_t)j->stages, sizeof *all);
	struct track *track = xcalloc((size_t)(j->stages * j->queues), sizeof *track);
	bool going = true, done = true;

	for (int i = 0; i < j->stages; i++)
		all[i].track = track + i * j->queues;
	for (int i = 0; i < j->stages; i++)
		walk_new(&all[i], all, j, s, i);
	while (going) {
		going = false;
		for (int i = 0; i < j->stages; i++)
			going |= walk(&all[i]);
		for (int i = j->stages - 1; i >= 0; i--)
			going |= walk(&all[i]);
	}
	for (int lane = 0; lane < SHOP_LANES; lane++)
		step[lane] = 0;
	for (int i = 0; i < j->stages; i++) {
		done &= all[i].next == all[i].last;
		for (int lane = 0; lane < SHOP_LANES; lane++)
			step[lane] = done ? fmax(step[lane], all[i].clock.at[lane] + j->tail[i]) : INFINITY;
	}
	free(track);
	free(all);
	return done;
}

bool
shop_fits(const struct shop *j, const struct schedule *s)
{
	for (int i = 0; i < j->stages; i++) {
		double memory = 0;

		for (size_t at = s->first[i]; at < s->first[i + 1]; at++) {
			size_t piece = (size_t)(i * j->chunks + s->op[at].chunk);

			if (s->op[at].phase == PHASE_F)
				memory += j->activation[piece];
			else if (s->op[at].phase == PHASE_W)
				memory -= j->kept[piece];
			else
				memory -= j->activation[piece] - j->kept[piece];
			if (memory > j->limit[i])
				return false;
		}
	}
	return true;
}
