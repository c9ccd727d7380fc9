/*
 * The micro-batches of a chunk keep their order. So the order of a stage is a row of symbols, each a queue or the W of
 * a chunk. The N-th symbol of a kind is the operation of micro-batch N.
 */
#include "shop_moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/random.h"

#define CLOSE 1e-9	/* relative rounding error of times */
enum { LATE = 60, FAR = 12 };

/* The operations of one symbol. */
struct kind {
	double time;
	double memory;		/* MB that one operation adds */
	double delay;
	double *end;		/* ms, end of each operation, [micro]; NULL for a W */
	const double *need;	/* ends that its operations need; NULL: none */
	const uint32_t *there;	/* number of those ends that are known */
	uint32_t done;		/* number of its operations evaluated */
	uint32_t next;
	uint32_t *place;	/* position of each operation in the row, [micro] */
	struct feed feed;
};

struct move_line {
	uint16_t *symbol;
	size_t n;
	struct kind *kind;
	int queues, kinds;
	double limit;
	double work;		/* ms of all operations of the stage */
	double tail;		/* ms after the last operation */
	/* State while an order is evaluated. */
	size_t next;
	double clock, idle;
	/* Micro-batch of the operation at each position, and its end, ms. */
	uint32_t *micro;
	double *ended;
};

/* Two operations that follow each other on a stage and on the critical path. AT: position of the second. */
struct joint {
	int stage;
	size_t at;
};

struct mover {
	const struct shop *shop;
	struct move_line *line;
	struct joint *joint;
	size_t njoints;
	uint64_t random;
};

/* Evaluate operations of a stage until the data of the next one are missing. Return whether any was evaluated. */
static inline bool
advance(struct move_line *l)
{
	size_t at = l->next, n = l->n;
	double clock = l->clock, idle = l->idle;

	for (; at < n; at++) {
		struct kind *k = &l->kind[l->symbol[at]];
		uint32_t m = k->done;

		if (k->need != NULL) {
			double from;

			if (*k->there <= m)
				break;
			from = k->need[m] + k->delay;
			if (from > clock) {
				idle += from - clock;
				clock = from;
			}
		}
		clock += k->time;
		if (k->end != NULL) {
			k->end[m] = clock;
			k->done = m + 1;
		}
	}
	if (at == l->next)
		return false;
	l->next = at;
	l->clock = clock;
	l->idle = idle;
	return true;
}

/* Return the step, ms; infinity if the order has a cycle or the step exceeds MOST. */
static double
evaluate(struct mover *v, double most)
{
	int stages = v->shop->stages;
	bool going = true;
	double step = 0;

	for (int s = 0; s < stages; s++) {
		struct move_line *l = &v->line[s];

		l->next = 0;
		l->clock = l->idle = 0;
		for (int k = 0; k < l->queues; k++)
			l->kind[k].done = 0;
	}
	while (going) {
		going = false;
		for (int i = 0; i < 2 * stages; i++) {
			struct move_line *l = &v->line[i < stages ? i : 2 * stages - 1 - i];

			if (l->next == l->n || !advance(l))
				continue;
			going = true;
			if (l->idle + l->work + l->tail > most)
				return INFINITY;
		}
	}
	for (int s = 0; s < stages; s++) {
		const struct move_line *l = &v->line[s];

		if (l->next < l->n)
			return INFINITY;
		step = fmax(step, l->clock + l->tail);
	}
	return step;
}

static void
begin_count(struct move_line *l)
{
	for (int k = 0; k < l->kinds; k++)
		l->kind[k].next = 0;
}

/* Return whether each W follows its backward, and the memory stays within the limit. */
static bool
fits(struct move_line *l)
{
	double memory = 0;

	begin_count(l);
	for (size_t at = 0; at < l->n; at++) {
		int k = l->symbol[at];

		memory += l->kind[k].memory;
		if (memory > l->limit)
			return false;
		if (++l->kind[k].next > l->kind[l->queues > k ? k : 2 * (k - l->queues) + 1].next)
			return false;
	}
	return true;
}

static void
lay_out(struct move_line *l)
{
	begin_count(l);
	for (size_t at = 0; at < l->n; at++) {
		struct kind *k = &l->kind[l->symbol[at]];
		uint32_t m = k->next++;

		l->micro[at] = m;
		if (k->end != NULL) {
			k->place[m] = (uint32_t)at;
			l->ended[at] = k->end[m];
		} else {
			l->ended[at] = (at > 0 ? l->ended[at - 1] : 0) + k->time;
		}
	}
}

/* Find the joints on a critical path, from its end. If several paths are critical, follow any one. */
static void
find_joints(struct mover *v, double step)
{
	double close = CLOSE * step;
	int stage = 0;
	size_t at;

	for (int s = 0; s < v->shop->stages; s++)
		lay_out(&v->line[s]);
	while (v->line[stage].clock + v->line[stage].tail < step)
		stage++;
	at = v->line[stage].n - 1;
	v->njoints = 0;
	for (;;) {
		const struct move_line *l = &v->line[stage];
		const struct kind *k = &l->kind[l->symbol[at]];
		double start = l->ended[at] - k->time;
		bool before = at > 0 && l->ended[at - 1] >= start - close;
		bool data = k->need != NULL && k->need[l->micro[at]] + k->delay >= start - close;

		if (before && data)
			before = xorshift_below(&v->random, 2) == 0;
		if (before) {
			v->joint[v->njoints++] = (struct joint){ stage, at-- };
		} else if (data) {
			uint32_t m = l->micro[at];

			stage = k->feed.stage;
			at = v->line[stage].kind[k->feed.queue].place[m];
		} else {
			return;
		}
	}
}

struct move {
	int stage;
	size_t from, to;
};

static void
apply(struct mover *v, struct move m)
{
	uint16_t *symbol = v->line[m.stage].symbol, moved = symbol[m.from];

	if (m.from < m.to)
		memmove(symbol + m.from, symbol + m.from + 1, (m.to - m.from) * sizeof *symbol);
	else
		memmove(symbol + m.to + 1, symbol + m.to, (m.from - m.to) * sizeof *symbol);
	symbol[m.to] = moved;
}

/* Shorten a move so that its operation passes none of the same kind. Return false if no move is left. */
static bool
shorten(const struct move_line *l, struct move *m)
{
	size_t at = m->from;
	uint16_t k = l->symbol[at];

	while (at != m->to) {
		size_t next = at < m->to ? at + 1 : at - 1;

		if (l->symbol[next] == k)
			break;
		at = next;
	}
	m->to = at;
	return at != m->from;
}

/* Choose a joint at random. Move one of its operations past the other, by up to FAR positions. */
static struct move
random_move(struct mover *v)
{
	struct joint joint = v->joint[xorshift_below(&v->random, (int)v->njoints)];
	const struct move_line *l = &v->line[joint.stage];
	size_t far = xorshift_below(&v->random, 2) == 0 ? 1 : 1 + xorshift_below(&v->random, FAR);

	if (xorshift_below(&v->random, 2) == 0)
		return (struct move){ joint.stage, joint.at, joint.at >= far ? joint.at - far : 0 };
	joint.at--;
	return (struct move){ joint.stage, joint.at, joint.at + far < l->n ? joint.at + far : l->n - 1 };
}

static void
line_new(struct move_line *l, const struct shop *j, const struct schedule *s, int stage)
{
	const struct op *op = s->op + s->first[stage];

	*l = (struct move_line){ .n = s->first[stage + 1] - s->first[stage], .queues = j->queues,
	    .kinds = j->queues + j->chunks, .limit = j->limit[stage], .tail = j->tail[stage] };
	l->symbol = xcalloc(l->n, sizeof *l->symbol);
	l->micro = xcalloc(l->n, sizeof *l->micro);
	l->ended = xcalloc(l->n, sizeof *l->ended);
	l->kind = xcalloc((size_t)l->kinds, sizeof *l->kind);
	for (int k = 0; k < j->queues; k++) {
		size_t piece = (size_t)(stage * j->chunks + k / 2);
		struct kind *own = &l->kind[k], *weight = &l->kind[j->queues + k / 2];

		own->end = xcalloc((size_t)j->micro, sizeof *own->end);
		own->place = xcalloc((size_t)j->micro, sizeof *own->place);
		own->time = j->time[piece * PHASES + (k % 2 ? PHASE_I : PHASE_F)];
		own->memory = k % 2 ? j->kept[piece] - j->activation[piece] : j->activation[piece];
		weight->time = j->time[piece * PHASES + PHASE_W];
		weight->memory = -j->kept[piece];
	}
	for (size_t at = 0; at < l->n; at++) {
		l->symbol[at] = (uint16_t)(op[at].phase == PHASE_W ? j->queues + op[at].chunk
		    : queue_number(op[at]));
		l->work += l->kind[l->symbol[at]].time;
	}
}

static struct mover
mover_new(const struct shop *j, const struct schedule *s, int lane, uint64_t seed)
{
	struct mover v = { .shop = j, .random = seed * 2654435769u + 88172645463325252u };

	v.line = xcalloc((size_t)j->stages, sizeof *v.line);
	v.joint = xcalloc(schedule_ops(s), sizeof *v.joint);
	for (int i = 0; i < j->stages; i++)
		line_new(&v.line[i], j, s, i);
	for (int i = 0; i < j->stages; i++)
		for (int k = 0; k < j->queues; k++) {
			struct kind *own = &v.line[i].kind[k], *from;

			own->feed = queue_feed(j, i, k);
			if (own->feed.stage < 0)
				continue;
			from = &v.line[own->feed.stage].kind[own->feed.queue];
			own->need = from->end;
			own->there = &from->done;
			own->delay = shop_delay(j, lane, own->feed.stage, i);
		}
	return v;
}

static void
mover_free(struct mover *v)
{
	for (int i = 0; i < v->shop->stages; i++) {
		struct move_line *l = &v->line[i];

		for (int k = 0; k < l->queues; k++) {
			free(l->kind[k].end);
			free(l->kind[k].place);
		}
		free(l->kind);
		free(l->symbol);
		free(l->micro);
		free(l->ended);
	}
	free(v->line);
	free(v->joint);
}

static void
take_order(const struct mover *v, struct schedule *s)
{
	for (int i = 0; i < v->shop->stages; i++) {
		struct move_line *l = &v->line[i];
		struct op *op = s->op + s->first[i];

		begin_count(l);
		for (size_t at = 0; at < l->n; at++) {
			int k = l->symbol[at];

			op[at] = (struct op){ .micro = l->kind[k].next++,
			    .chunk = (uint16_t)(k < l->queues ? k / 2 : k - l->queues),
			    .phase = (uint8_t)(k >= l->queues ? PHASE_W : queue_phase(v->shop, k)) };
		}
	}
}

void
shop_move(const struct shop *j, struct schedule *s, int lane, double operations, uint64_t seed)
{
	struct mover v = mover_new(j, s, lane, seed);
	double late[LATE], step = evaluate(&v, INFINITY), best = step;
	size_t n = schedule_ops(s);
	long changes = 0;

	for (int i = 0; i < LATE; i++)
		late[i] = step;
	find_joints(&v, step);
	for (; operations > 0 && v.njoints > 0; operations -= (double)n / 16) {
		struct move m = random_move(&v);
		struct move_line *l = &v.line[m.stage];
		double *then = &late[changes % LATE], now;

		if (!shorten(l, &m))
			continue;
		apply(&v, m);
		if (!fits(l)) {
			apply(&v, (struct move){ m.stage, m.to, m.from });
			continue;
		}
		operations -= (double)n;
		changes++;
		now = evaluate(&v, fmax(*then, step) * (1 + CLOSE));
		if (now > fmax(*then, step) * (1 + CLOSE)) {
			apply(&v, (struct move){ m.stage, m.to, m.from });
			continue;
		}
		step = *then = now;
		if (step < best * (1 - CLOSE)) {
			best = step;
			take_order(&v, s);
		}
		find_joints(&v, step);
	}
	mover_free(&v);
}
