/* List scheduling. */
#include "list_scheduling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "simulation.h"

#define SLACK 1e-9	/* rounding of sums of memory, relative */

/* Forwards or backwards of one chunk of a stage, in the order in which they run. */
struct queue {
	const struct op *next, *last;
	double *end;		/* of their results, by micro-batch; -1: not yet */
	const double *need;	/* of what they wait for; NULL: for nothing */
	double delay;
	int wakes;		/* stage that waits for them; -1: none */
	int depth;		/* pieces behind this one on the data's way */
};

struct stage {
	double clock;
	double memory, most;	/* MB */
	int live;
	enum phase last;	/* forward or backward that ran last */
	bool returned;		/* a backward has run */
	const struct op *script, *behind;	/* what BASE would run next, weights' gradients among it */
	struct queue *queue;	/* [chunks][2]: forwards, backwards */
	const struct op *unpaid;	/* in what has run: weights' gradients are due from here on */
	struct op *out;
};

/* Something may be there for a stage at that time. */
struct event {
	double time;
	int stage;
};

struct events {		/* a heap */
	struct event *at;
	size_t n, room;
};

struct lister {
	const struct schedule *base;
	const struct load *load;
	const struct room *room;
	struct rule rule;
	bool split;		/* backwards are */
	struct stage *stage;
	struct events events;
	double *end;
	size_t left;
};

static bool
sooner(struct event a, struct event b)
{
	return a.time != b.time ? a.time < b.time : a.stage < b.stage;
}

static void
events_add(struct events *e, double time, int stage)
{
	struct event new = { time, stage };
	size_t i = e->n++;

	if (e->n > e->room) {
		e->room = 2 * e->n;
		e->at = xreallocarray(e->at, e->room, sizeof *e->at);
	}
	for (; i > 0 && sooner(new, e->at[(i - 1) / 2]); i = (i - 1) / 2)
		e->at[i] = e->at[(i - 1) / 2];
	e->at[i] = new;
}

static struct event
events_take(struct events *e)
{
	struct event first = e->at[0], last = e->at[--e->n];
	size_t i = 0, child;

	for (; (child = 2 * i + 1) < e->n; i = child) {
		if (child + 1 < e->n && sooner(e->at[child + 1], e->at[child]))
			child++;
		if (!sooner(e->at[child], last))
			break;
		e->at[i] = e->at[child];
	}
	e->at[i] = last;
	return first;
}

struct schedule
schedule_copy(const struct schedule *s)
{
	size_t pieces = (size_t)s->stages * (size_t)s->chunks;
	struct schedule copy = *s;

	copy.first = xcalloc((size_t)s->stages + 1, sizeof *copy.first);
	copy.op = xcalloc(schedule_ops(s), sizeof *copy.op);
	copy.before = xcalloc(pieces, sizeof *copy.before);
	copy.after = xcalloc(pieces, sizeof *copy.after);
	memcpy(copy.first, s->first, ((size_t)s->stages + 1) * sizeof *copy.first);
	memcpy(copy.op, s->op, schedule_ops(s) * sizeof *copy.op);
	memcpy(copy.before, s->before, pieces * sizeof *copy.before);
	memcpy(copy.after, s->after, pieces * sizeof *copy.after);
	return copy;
}

/* Most that a stage holds along its order. */
static double
held(const struct schedule *s, const struct load *l, int stage, int *live)
{
	double memory = 0, most = 0;
	int chunks = 0;

	*live = 0;
	for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
		struct op op = s->op[i];

		chunks += op.phase == PHASE_F ? 1 : op.phase == PHASE_I ? 0 : -1;
		*live = chunks > *live ? chunks : *live;
		most = fmax(most, simulation_held(l, stage, &s->op[i], memory));
		memory += simulation_memory(l, stage, op);
	}
	return most;
}

struct room
room_of(const struct schedule *s, const struct load *l)
{
	struct room r = { .memory = list_new(s->stages), .live = xcalloc((size_t)s->stages, sizeof *r.live) };

	for (int i = 0; i < s->stages; i++)
		r.memory.at[i] = held(s, l, i, &r.live[i]);
	return r;
}

void
room_free(struct room *r)
{
	free(r->memory.at);
	free(r->live);
	*r = (struct room){ 0 };
}

bool
room_enough(const struct room *r, const struct schedule *s, const struct load *l)
{
	for (int i = 0; i < s->stages; i++) {
		int live;

		if (held(s, l, i, &live) > list_get(r->memory, i) * (1 + SLACK) ||
		    (r->live != NULL && live > r->live[i]))
			return false;
	}
	return true;
}

bool
list_schedulable(const struct schedule *s)
{
	for (size_t i = 0; i < schedule_ops(s); i++)
		if (s->op[i].joined != 0)
			return false;
	return true;
}

static struct queue *
queue_of(const struct lister *l, int stage, struct op op)
{
	return &l->stage[stage].queue[2 * op.chunk + (op.phase != PHASE_F)];
}

/* What the operations of a queue wait for, and who waits for them. */
static void
connect(struct lister *l, int stage, struct op op)
{
	const struct schedule *s = l->base;
	struct queue *q = queue_of(l, stage, op);
	struct need need = schedule_need(s, stage, op);

	q->end = l->end + schedule_slot(s, stage, op);
	q->wakes = -1;
	if (need.stage >= 0) {
		q->need = l->end + schedule_slot(s, need.stage, need.op);
		q->delay = load_delay(l->load, need.stage, stage);
	}
}

static void
find_wakes(struct lister *l, int stage, struct op op)
{
	struct need need = schedule_need(l->base, stage, op);

	if (need.stage >= 0)
		queue_of(l, need.stage, need.op)->wakes = stage;
}

static struct op
queue_op(int k)
{
	return (struct op){ .chunk = (uint16_t)(k / 2), .phase = k % 2 ? PHASE_B : PHASE_F };
}

/* How many pieces data still go through. */
static int
depth(const struct schedule *s, int at, bool back)
{
	const int *next = back ? s->before : s->after;
	int n = 0;

	for (; next[at] >= 0; at = next[at])
		n++;
	return n;
}

/* Sort a stage's operations into queues, in ORDER; returns behind the last. */
static struct op *
fill_queues(struct lister *l, int stage, struct op *order)
{
	const struct schedule *s = l->base;

	for (int k = 0; k < 2 * s->chunks; k++) {
		struct op kind = queue_op(k);
		struct queue *q = queue_of(l, stage, kind);

		connect(l, stage, kind);
		q->depth = depth(s, kind.chunk * s->stages + stage, k % 2);
		q->next = order;
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++)
			if (s->op[i].phase != PHASE_W && s->op[i].chunk == kind.chunk &&
			    (s->op[i].phase != PHASE_F) == k % 2)
				*order++ = s->op[i];
		q->last = order;
	}
	return order;
}

/* When the next operation of a queue can begin; infinity: nobody knows yet, or there is none. */
static double
arrival(const struct queue *q)
{
	double needed;

	if (q->next == q->last)
		return INFINITY;
	if (q->need == NULL)
		return 0;
	needed = q->need[q->next->micro];
	return needed < 0 ? INFINITY : needed + q->delay;
}

/* MB that are there more once the rest of a chunk's backward has run, where it leaves more to its W than there was. */
static double
growth(const struct lister *l, int chunk, int stage)
{
	return l->split ? fmax(table_get(l->load->kept, chunk, stage) -
	    table_get(l->load->activation, chunk, stage), 0) : 0;
}

/* MB that are there at most while any one operation of a stage runs. */
static double
most_transient(const struct lister *l, int stage)
{
	double transient = 0;

	for (int v = 0; v < l->base->chunks; v++)
		transient = fmax(transient, load_transient(l->load, v, stage));
	return transient;
}

/*
 * Is there memory for a forward, and then for one of each later chunk, without which none ever goes back; while any of
 * them runs; and then, as they go back, for what each leaves to its W, which can run next?
 */
static bool
fits(const struct lister *l, int stage, struct op op)
{
	const struct stage *s = &l->stage[stage];
	double memory = s->memory, most;
	int chunks = l->base->chunks;

	for (int v = op.chunk; v < chunks; v++)
		memory += table_get(l->load->activation, v, stage);
	most = memory;
	for (int v = chunks - 1; v >= 0; v--) {
		most = fmax(most, memory + growth(l, v, stage));
		memory -= v >= op.chunk ? table_get(l->load->activation, v, stage) : 0;
	}
	return most + most_transient(l, stage) <= s->most &&
	    (l->room->live == NULL || s->live + chunks - op.chunk <= l->room->live[stage]);
}

/* Must a backward wait until a W has freed what the rest of it leaves to its own? */
static bool
too_much(const struct lister *l, int stage, struct op op)
{
	const struct stage *s = &l->stage[stage];
	double more = op.phase == PHASE_I ? growth(l, op.chunk, stage) : 0;

	return more > 0 && s->memory + more + most_transient(l, stage) > s->most;
}

static bool
more_urgent(const struct lister *l, const struct stage *s, const struct queue *a, const struct queue *b)
{
	bool back = a->next->phase != PHASE_F, other = b->next->phase != PHASE_F;

	if (back != other)
		return back == (l->rule.urgent == BACKWARD_FIRST ||
		    (l->rule.urgent != FORWARD_FIRST && s->last == PHASE_F));
	return l->rule.deep ? a->depth < b->depth : a->depth > b->depth;
}

static bool
owes(struct stage *s)
{
	while (s->unpaid < s->out && s->unpaid->phase != PHASE_I)
		s->unpaid++;
	return s->unpaid < s->out;
}

/* Run an operation from now on, or from when the stage is free. */
static void
run(struct lister *l, int stage, double now, struct op op)
{
	struct stage *s = &l->stage[stage];

	s->clock = now + simulation_duration(l->load, stage, op);
	s->memory += simulation_memory(l->load, stage, op);
	s->live += op.phase == PHASE_F ? 1 : op.phase == PHASE_I ? 0 : -1;
	*s->out++ = op;
	l->left--;
	events_add(&l->events, s->clock, stage);
	if (op.phase != PHASE_W) {
		struct queue *q = queue_of(l, stage, op);

		s->last = op.phase;
		s->returned |= op.phase != PHASE_F;
		q->end[op.micro] = s->clock;
		q->next++;
		if (q->wakes >= 0)
			events_add(&l->events, s->clock + load_delay(l->load, stage, q->wakes), q->wakes);
	}
}

/* The next of BASE that has not run; NULL: none is left. */
static const struct op *
scripted(struct lister *l, int stage)
{
	struct stage *s = &l->stage[stage];

	while (s->script < s->behind && (s->script->phase == PHASE_W ||
	    queue_of(l, stage, *s->script)->end[s->script->micro] >= 0))
		s->script++;
	return s->script < s->behind ? s->script : NULL;
}

/* Must an operation wait for another one that comes first? */
static bool
out_of_turn(struct lister *l, int stage, const struct queue *q)
{
	struct stage *s = &l->stage[stage];
	bool back = q->next->phase != PHASE_F;

	if (l->rule.urgent == AS_BEFORE) {
		const struct op *next = scripted(l, stage);

		/* Backwards may overtake a forward for which there is no memory. */
		return next != q->next && memcmp(next, q->next, sizeof *next) != 0 &&
		    !(back && next->phase == PHASE_F && !fits(l, stage, *next));
	}
	if (l->rule.urgent != STRICTLY || !s->returned || back != (s->last != PHASE_F))
		return false;
	/* The same once more only where there is none of the other kind. */
	for (int k = !back; k < 2 * l->base->chunks; k += 2)
		if (s->queue[k].next < s->queue[k].last && (back == 0 || fits(l, stage, *s->queue[k].next)))
			return true;
	return false;
}

/* A free stage chooses. */
static void
choose(struct lister *l, int stage, double now)
{
	struct stage *s = &l->stage[stage];
	struct queue *best = NULL;
	double soonest = INFINITY;
	bool full = false, owed = owes(s);

	for (int k = 0; k < 2 * l->base->chunks; k++) {
		struct queue *q = &s->queue[k];
		double at = arrival(q);

		if (at == INFINITY)
			continue;
		if (q->next->phase == PHASE_F && !fits(l, stage, *q->next)) {
			full |= at <= now;
			continue;
		}
		if (owed && too_much(l, stage, *q->next)) {
			full |= at <= now;
			continue;
		}
		if (out_of_turn(l, stage, q))
			continue;
		soonest = fmin(soonest, at);
		if (at <= now && (best == NULL || more_urgent(l, s, q, best)))
			best = q;
	}
	if (best != NULL) {
		run(l, stage, now, *best->next);
	} else if (owed) {
		struct op op = *s->unpaid;

		op.phase = PHASE_W;
		if (!full && soonest - now < l->rule.fit * simulation_duration(l->load, stage, op))
			return;		/* until the data come */
		s->unpaid++;
		run(l, stage, now, op);
	}
}

bool
list_schedule(const struct schedule *base, const struct load *load, const struct room *room, struct rule rule,
    struct schedule *result)
{
	struct lister l = { .base = base, .load = load, .room = room, .rule = rule, .left = schedule_ops(base) };
	size_t slots = schedule_slots(base), queues = (size_t)base->stages * (size_t)base->chunks * 2;
	struct op *order = xcalloc(schedule_ops(base), sizeof *order), *op = order;
	struct queue *queue = xcalloc(queues, sizeof *queue);

	*result = schedule_copy(base);
	for (size_t i = 0; i < schedule_ops(base); i++)
		l.split |= base->op[i].phase == PHASE_I;
	l.end = xcalloc(slots, sizeof *l.end);
	for (size_t i = 0; i < slots; i++)
		l.end[i] = -1;
	l.stage = xcalloc((size_t)base->stages, sizeof *l.stage);
	for (int s = 0; s < base->stages; s++) {
		l.stage[s] = (struct stage){
			.most = list_get(room->memory, s) * (1 + SLACK),
			.queue = queue + 2 * (size_t)base->chunks * (size_t)s,
			.out = result->op + base->first[s],
			.unpaid = result->op + base->first[s],
			.script = base->op + base->first[s],
			.behind = base->op + base->first[s + 1],
		};
		op = fill_queues(&l, s, op);
		events_add(&l.events, 0, s);
	}
	for (int s = 0; s < base->stages; s++)
		for (int k = 0; k < 2 * base->chunks; k++)
			find_wakes(&l, s, queue_op(k));
	while (l.events.n > 0) {
		struct event e = events_take(&l.events);

		if (l.stage[e.stage].clock <= e.time)
			choose(&l, e.stage, e.time);
	}
	free(order);
	free(queue);
	free(l.end);
	free(l.stage);
	free(l.events.at);
	if (l.left > 0)
		schedule_free(result);
	return l.left == 0;
}
