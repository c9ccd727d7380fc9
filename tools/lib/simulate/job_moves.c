/*
 * Moves of a job's operations. As micro-batches of a chunk keep their order, a stage's order is a line of symbols: a
 * queue, or W of a chunk; the N-th of its kind is that of micro-batch N.
 */
#include "job_moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/random.h"

#define CLOSE 1e-9	/* rounding of times, relative to the step */
enum { LATE = 60, FAR = 12, SYMBOLS = QUEUES + QUEUES / 2 };

struct line {
	uint8_t *symbol;
	size_t n;
	double time[SYMBOLS];
	double memory[SYMBOLS];	/* what it adds */
	double limit;
	double work;		/* of all */
	double tail;		/* behind the last */
	double *end[QUEUES];	/* [micro] */
	const double *need[QUEUES];
	double delay[QUEUES];
	const uint32_t *there[QUEUES];
	uint32_t done[QUEUES];
	/* While evaluated. */
	size_t next;
	double clock, idle;
	/* Of the order that is current, by place: which micro-batch, and its end. */
	uint32_t *micro;
	double *ended;
	/* By queue and micro-batch: its place. */
	uint32_t *place[QUEUES];
	int from[QUEUES], queue[QUEUES];	/* whom it waits for; -1: nobody */
};

/* Places next to each other on a stage and on the longest path: the second one. */
struct joint {
	int stage;
	size_t at;
};

struct mover {
	const struct job *job;
	struct line *line;
	struct joint *joint;
	size_t njoints;
	uint64_t random;
};

/* Go on until data are missing; true when it went at all. */
static inline bool
advance(struct line *l)
{
	size_t at = l->next, n = l->n;
	double clock = l->clock, idle = l->idle;

	for (; at < n; at++) {
		int k = l->symbol[at];

		if (k < QUEUES) {
			uint32_t m = l->done[k];

			if (l->need[k] != NULL) {
				double from;

				if (*l->there[k] <= m)
					break;
				from = l->need[k][m] + l->delay[k];
				if (from > clock) {
					idle += from - clock;
					clock = from;
				}
			}
			clock += l->time[k];
			l->end[k][m] = clock;
			l->done[k] = m + 1;
		} else {
			clock += l->time[k];
		}
	}
	if (at == l->next)
		return false;
	l->next = at;
	l->clock = clock;
	l->idle = idle;
	return true;
}

/* The step; infinity: it cannot run, or is longer than MOST. */
static double
evaluate(struct mover *v, double most)
{
	int stages = v->job->stages;
	bool going = true;
	double step = 0;

	for (int s = 0; s < stages; s++) {
		struct line *l = &v->line[s];

		l->next = 0;
		l->clock = l->idle = 0;
		memset(l->done, 0, sizeof l->done);
	}
	while (going) {
		going = false;
		for (int i = 0; i < 2 * stages; i++) {
			struct line *l = &v->line[i < stages ? i : 2 * stages - 1 - i];

			if (l->next == l->n || !advance(l))
				continue;
			going = true;
			if (l->idle + l->work + l->tail > most)
				return INFINITY;
		}
	}
	for (int s = 0; s < stages; s++) {
		const struct line *l = &v->line[s];

		if (l->next < l->n)
			return INFINITY;
		step = fmax(step, l->clock + l->tail);
	}
	return step;
}

/* Does each W follow its backward, within the memory? */
static bool
fits(const struct line *l)
{
	double memory = 0;
	int waiting[QUEUES / 2] = { 0 };

	for (size_t at = 0; at < l->n; at++) {
		int k = l->symbol[at];

		memory += l->memory[k];
		if (memory > l->limit)
			return false;
		if (k >= QUEUES) {
			if (--waiting[k - QUEUES] < 0)
				return false;
		} else if (k % 2 == 1) {
			waiting[k / 2]++;
		}
	}
	return true;
}

static void
lay_out(struct line *l)
{
	uint32_t next[SYMBOLS] = { 0 };

	for (size_t at = 0; at < l->n; at++) {
		int k = l->symbol[at];
		uint32_t m = next[k]++;

		l->micro[at] = m;
		if (k < QUEUES) {
			l->place[k][m] = (uint32_t)at;
			l->ended[at] = l->end[k][m];
		} else {
			l->ended[at] = (at > 0 ? l->ended[at - 1] : 0) + l->time[k];
		}
	}
}

/* The joints of a longest path, from its end; where two paths meet, either of them. */
static void
find_joints(struct mover *v, double step)
{
	double close = CLOSE * step;
	int stage = 0;
	size_t at;

	for (int s = 0; s < v->job->stages; s++)
		lay_out(&v->line[s]);
	while (v->line[stage].clock + v->line[stage].tail < step)
		stage++;
	at = v->line[stage].n - 1;
	v->njoints = 0;
	for (;;) {
		const struct line *l = &v->line[stage];
		int k = l->symbol[at];
		double start = l->ended[at] - l->time[k];
		bool before = at > 0 && l->ended[at - 1] >= start - close;
		bool data = k < QUEUES && l->need[k] != NULL &&
		    l->need[k][l->micro[at]] + l->delay[k] >= start - close;

		if (before && data)
			before = xorshift_below(&v->random, 2) == 0;
		if (before) {
			v->joint[v->njoints++] = (struct joint){ stage, at-- };
		} else if (data) {
			uint32_t m = l->micro[at];

			stage = l->from[k];
			at = v->line[stage].place[l->queue[k]][m];
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
	uint8_t *symbol = v->line[m.stage].symbol, moved = symbol[m.from];

	if (m.from < m.to)
		memmove(symbol + m.from, symbol + m.from + 1, m.to - m.from);
	else
		memmove(symbol + m.to + 1, symbol + m.to, m.from - m.to);
	symbol[m.to] = moved;
}

/* As far as an operation may go: past no other of its kind. False: nowhere. */
static bool
shorten(const struct line *l, struct move *m)
{
	size_t at = m->from;
	uint8_t k = l->symbol[at];

	while (at != m->to) {
		size_t next = at < m->to ? at + 1 : at - 1;

		if (l->symbol[next] == k)
			break;
		at = next;
	}
	m->to = at;
	return at != m->from;
}

/* A move of one of two operations at a random joint past the other, and up to FAR more. */
static struct move
random_move(struct mover *v)
{
	struct joint joint = v->joint[xorshift_below(&v->random, (int)v->njoints)];
	const struct line *l = &v->line[joint.stage];
	size_t far = xorshift_below(&v->random, 2) == 0 ? 1 : 1 + xorshift_below(&v->random, FAR);

	if (xorshift_below(&v->random, 2) == 0)
		return (struct move){ joint.stage, joint.at, joint.at >= far ? joint.at - far : 0 };
	joint.at--;
	return (struct move){ joint.stage, joint.at, joint.at + far < l->n ? joint.at + far : l->n - 1 };
}

static struct mover
mover_new(const struct job *j, const struct schedule *s, int lane, uint64_t seed)
{
	struct mover v = { .job = j, .random = seed * 2654435769u + 88172645463325252u };
	size_t micro = (size_t)j->micro;

	v.line = xcalloc((size_t)j->stages, sizeof *v.line);
	v.joint = xcalloc(schedule_ops(s), sizeof *v.joint);
	for (int i = 0; i < j->stages; i++) {
		struct line *l = &v.line[i];
		const struct op *op = s->op + s->first[i];

		l->n = s->first[i + 1] - s->first[i];
		l->symbol = xcalloc(l->n, 1);
		l->micro = xcalloc(l->n, sizeof *l->micro);
		l->ended = xcalloc(l->n, sizeof *l->ended);
		l->limit = j->limit[i];
		l->tail = j->tail[i];
		for (int k = 0; k < 2 * j->chunks; k++) {
			size_t piece = (size_t)(i * j->chunks + k / 2);

			l->end[k] = xcalloc(micro, sizeof *l->end[k]);
			l->place[k] = xcalloc(micro, sizeof *l->place[k]);
			l->time[k] = j->time[piece * PHASES + (k % 2 ? PHASE_I : PHASE_F)];
			l->memory[k] = k % 2 ? j->kept[piece] - j->activation[piece] : j->activation[piece];
			l->time[QUEUES + k / 2] = j->time[piece * PHASES + PHASE_W];
			l->memory[QUEUES + k / 2] = -j->kept[piece];
		}
		for (size_t at = 0; at < l->n; at++) {
			l->symbol[at] = (uint8_t)(op[at].phase == PHASE_W ? QUEUES + op[at].chunk
			    : queue_number(op[at]));
			l->work += l->time[l->symbol[at]];
		}
	}
	for (int i = 0; i < j->stages; i++)
		for (int k = 0; k < 2 * j->chunks; k++) {
			struct line *l = &v.line[i];

			if (!queue_from(j, i, k, &l->from[k], &l->queue[k]))
				continue;
			l->need[k] = v.line[l->from[k]].end[l->queue[k]];
			l->there[k] = &v.line[l->from[k]].done[l->queue[k]];
			l->delay[k] = job_delay(j, lane, l->from[k], i);
		}
	return v;
}

static void
mover_free(struct mover *v)
{
	for (int i = 0; i < v->job->stages; i++) {
		struct line *l = &v->line[i];

		for (int k = 0; k < QUEUES; k++) {
			free(l->end[k]);
			free(l->place[k]);
		}
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
	for (int i = 0; i < v->job->stages; i++) {
		const struct line *l = &v->line[i];
		struct op *op = s->op + s->first[i];
		uint32_t next[SYMBOLS] = { 0 };

		for (size_t at = 0; at < l->n; at++) {
			int k = l->symbol[at];

			op[at] = (struct op){ .micro = next[k]++,
			    .chunk = (uint16_t)(k < QUEUES ? k / 2 : k - QUEUES),
			    .phase = (uint8_t)(k >= QUEUES ? PHASE_W : k % 2 ? PHASE_I : PHASE_F) };
		}
	}
}

void
job_move(const struct job *j, struct schedule *s, int lane, double operations, uint64_t seed)
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
		struct line *l = &v.line[m.stage];
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
