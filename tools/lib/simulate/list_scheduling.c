#include "list_scheduling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "simulation.h"
#include "turns.h"

/* Forwards or backwards of one chunk of a stage, in the order in which they run. */
struct queue {
	const struct op *first, *next, *last;
	double *end;		/* of their results, by micro-batch; -1: not yet */
	double delay;		/* of what they wait for */
	struct queue *from;	/* where that comes from; NULL: they wait for nothing */
	struct queue *to;	/* what waits for them; NULL: nothing */
	const struct op *heard;	/* of FROM: those before have come by the time at which the stage looked last */
	double at;		/* when the next one can begin; infinity: nobody knows yet, or there is none */
	int stage;
	int depth;		/* pieces behind this one on the data's way */
	bool back;
};

/* One phase of one chunk of a stage. */
struct work {
	double duration, memory;
	const double *factor;	/* of the duration, by unit; NULL: all 1 */
};

/* What a micro-batch of a chunk holds. */
struct held {
	double activation;	/* MB */
	/* MB that are there more once the rest of its backward has run, where it leaves more to its W than there was */
	double growth;
};

struct stage {
	double clock;
	double memory, most;	/* MB */
	double transient;	/* MB, the most of any chunk */
	int live;
	enum phase last;	/* forward or backward that ran last */
	bool returned;		/* a backward has run */
	bool idle;		/* until data come */
	const struct op *script, *behind;	/* what BASE would run next, weights' gradients among it */
	struct queue *queue;	/* [chunks][2]: forwards, backwards */
	struct work *work;	/* [chunks][PHASES] */
	struct held *held;	/* [chunks] */
	bool grows;		/* any of them */
	const struct op *unpaid;	/* in what has run: weights' gradients are due from here on */
	struct op *out;
};

struct lister {
	const struct schedule *base;
	const struct load *load;
	const struct room *room;
	struct rule rule;
	struct stage *stage;
	struct turns turns;
	struct op *order;	/* of all queues */
	double *end;
	size_t left;
};

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

static struct op
queue_op(int k)
{
	return (struct op){ .chunk = (uint16_t)(k / 2), .phase = k % 2 ? PHASE_B : PHASE_F };
}

/* What the operations of a queue wait for, and who waits for them. */
static void
connect(struct lister *l, int stage, int k)
{
	const struct schedule *s = l->base;
	struct queue *q = &l->stage[stage].queue[k];
	struct need need = schedule_need(s, stage, queue_op(k));

	q->end = l->end + schedule_slot(s, stage, queue_op(k));
	if (need.stage >= 0) {
		q->from = queue_of(l, need.stage, need.op);
		q->from->to = q;
		q->delay = load_arrival(l->load, need.stage, stage, queue_op(k));
	}
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
	struct queue *queue = l->stage[stage].queue;

	for (int k = 0; k < 2 * s->chunks; k++) {
		queue[k].stage = stage;
		queue[k].back = k % 2;
		queue[k].depth = depth(s, k / 2 * s->stages + stage, k % 2);
		queue[k].first = order;
		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++)
			if (s->op[i].phase != PHASE_W && s->op[i].chunk == k / 2 &&
			    (s->op[i].phase != PHASE_F) == k % 2)
				*order++ = s->op[i];
		queue[k].last = order;
		connect(l, stage, k);
	}
	return order;
}

/* SPLIT: backwards are. */
static void
find_work(struct lister *l, int stage, bool split)
{
	struct stage *s = &l->stage[stage];

	for (int v = 0; v < l->base->chunks; v++) {
		double activation = table_get(l->load->activation, v, stage);
		double growth = split ? fmax(table_get(l->load->kept, v, stage) - activation, 0) : 0;

		s->held[v] = (struct held){ activation, growth };
		s->grows |= growth > 0;
		s->transient = fmax(s->transient, load_transient(l->load, v, stage));
		for (int p = 0; p < PHASES; p++) {
			struct op op = { .chunk = (uint16_t)v, .phase = (uint8_t)p };

			s->work[v * PHASES + p] = (struct work){
				.duration = simulation_mean_duration(l->load, stage, op),
				.memory = simulation_memory(l->load, stage, op),
				.factor = load_factors(l->load, stage, op),
			};
		}
	}
}

struct lister *
lister_new(const struct schedule *base, const struct load *load, const struct room *room)
{
	struct lister *l = xcalloc(1, sizeof *l);
	size_t chunks = (size_t)base->chunks, pieces = (size_t)base->stages * chunks;
	struct queue *queue = xcalloc(2 * pieces, sizeof *queue);
	struct work *work = xcalloc(PHASES * pieces, sizeof *work);
	struct held *held = xcalloc(pieces, sizeof *held);
	struct op *order;
	bool split = false;

	*l = (struct lister){ .base = base, .load = load, .room = room, .turns = turns_new(base->stages) };
	for (size_t i = 0; i < schedule_ops(base); i++)
		split |= base->op[i].phase == PHASE_I;
	l->order = order = xcalloc(schedule_ops(base), sizeof *order);
	l->end = xcalloc(schedule_slots(base), sizeof *l->end);
	l->stage = xcalloc((size_t)base->stages, sizeof *l->stage);
	for (int s = 0; s < base->stages; s++) {
		l->stage[s] = (struct stage){
			.most = room_most(room, s),
			.queue = queue + 2 * chunks * (size_t)s,
			.work = work + PHASES * chunks * (size_t)s,
			.held = held + chunks * (size_t)s,
			.behind = base->op + base->first[s + 1],
		};
		find_work(l, s, split);
	}
	for (int s = 0; s < base->stages; s++)
		order = fill_queues(l, s, order);
	return l;
}

void
lister_free(struct lister *l)
{
	free(l->stage[0].queue);
	free(l->stage[0].work);
	free(l->stage[0].held);
	free(l->stage);
	turns_free(&l->turns);
	free(l->order);
	free(l->end);
	free(l);
}

static double
duration(const struct work *w, struct op op)
{
	return (w->factor != NULL ? w->factor[op.micro] : 1) * w->duration;
}

/* When an operation that a queue waits for has come. */
static double
arrival(const struct queue *q, uint32_t micro)
{
	double needed = q->from->end[micro];

	return needed < 0 ? INFINITY : needed + q->delay;
}

static void
look(struct queue *q)
{
	q->at = q->next == q->last ? INFINITY : q->from == NULL ? 0 : arrival(q, q->next->micro);
}

/*
 * Is there memory for a forward, and then for one of each later chunk, without which none ever goes back; while any of
 * them runs; and then, as they go back, for what each leaves to its W, which can run next?
 */
static bool
fits(const struct lister *l, const struct stage *s, struct op op)
{
	double memory = s->memory, most;
	int chunks = l->base->chunks;

	for (int v = op.chunk; v < chunks; v++)
		memory += s->held[v].activation;
	most = memory;
	for (int v = chunks - 1; v >= 0 && s->grows; v--) {
		most = fmax(most, memory + s->held[v].growth);
		memory -= v >= op.chunk ? s->held[v].activation : 0;
	}
	return most + s->transient <= s->most &&
	    (l->room->live == NULL || s->live + chunks - op.chunk <= l->room->live[s - l->stage]);
}

/* Must a backward wait until a W has freed what the rest of it leaves to its own? */
static bool
too_much(const struct stage *s, struct op op)
{
	double more = op.phase == PHASE_I ? s->held[op.chunk].growth : 0;

	return more > 0 && s->memory + more + s->transient > s->most;
}

static bool
more_urgent(const struct lister *l, const struct stage *s, const struct queue *a, const struct queue *b)
{
	if (a->back != b->back)
		return a->back == (l->rule.urgent == BACKWARD_FIRST ||
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
	const struct work *work = &s->work[op.chunk * PHASES + op.phase];

	s->clock = now + duration(work, op);
	s->memory += work->memory;
	s->live += op.phase == PHASE_F ? 1 : op.phase == PHASE_I ? 0 : -1;
	s->idle = false;
	*s->out++ = op;
	l->left--;
	turns_set(&l->turns, stage, s->clock);
	if (op.phase != PHASE_W) {
		struct queue *q = queue_of(l, stage, op), *to = q->to;

		s->last = op.phase;
		s->returned |= op.phase != PHASE_F;
		q->end[op.micro] = s->clock;
		q->next++;
		look(q);
		if (to != NULL) {
			double at = s->clock + to->delay;

			if (to->next < to->last && to->next->micro == op.micro)
				to->at = at;
			/* A stage that has something to do looks when it has done that. */
			if (l->stage[to->stage].idle && at < turns_time(&l->turns, to->stage))
				turns_set(&l->turns, to->stage, at);
		}
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
	bool back = q->back;

	if (l->rule.urgent == AS_BEFORE) {
		const struct op *next = scripted(l, stage);

		/* Backwards may overtake a forward for which there is no memory. */
		return next != q->next && memcmp(next, q->next, sizeof *next) != 0 &&
		    !(back && next->phase == PHASE_F && !fits(l, s, *next));
	}
	if (l->rule.urgent != STRICTLY || !s->returned || back != (s->last != PHASE_F))
		return false;
	/* The same once more only where there is none of the other kind. */
	for (int k = !back; k < 2 * l->base->chunks; k += 2)
		if (s->queue[k].next < s->queue[k].last && (back == 0 || fits(l, s, *s->queue[k].next)))
			return true;
	return false;
}

/* A stage looks again when the next data come. */
static void
wait(struct lister *l, int stage, double now)
{
	struct stage *s = &l->stage[stage];
	double next = INFINITY;

	for (int k = 0; k < 2 * l->base->chunks; k++) {
		struct queue *q = &s->queue[k];

		if (q->from == NULL)
			continue;
		while (q->heard < q->from->next && arrival(q, q->heard->micro) <= now)
			q->heard++;
		if (q->heard < q->from->next)
			next = fmin(next, arrival(q, q->heard->micro));
	}
	s->idle = true;
	turns_set(&l->turns, stage, next);
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

		if (q->at == INFINITY)
			continue;
		if (q->back ? s->grows && owed && too_much(s, *q->next) : !fits(l, s, *q->next)) {
			full |= q->at <= now;
			continue;
		}
		if (out_of_turn(l, stage, q))
			continue;
		soonest = q->at < soonest ? q->at : soonest;
		if (q->at <= now && (best == NULL || more_urgent(l, s, q, best)))
			best = q;
	}
	if (best != NULL) {
		run(l, stage, now, *best->next);
		return;
	}
	if (owed) {
		struct op op = *s->unpaid;

		op.phase = PHASE_W;
		if (full || soonest - now >= l->rule.fit * duration(&s->work[op.chunk * PHASES + PHASE_W], op)) {
			s->unpaid++;
			run(l, stage, now, op);
			return;
		}
	}
	wait(l, stage, now);
}

/* Nothing has run yet, and OUT has the order. */
static void
begin(struct lister *l, const struct schedule *out)
{
	size_t slots = schedule_slots(l->base);

	l->left = schedule_ops(l->base);
	for (size_t i = 0; i < slots; i++)
		l->end[i] = -1;
	turns_begin(&l->turns, l->base->stages);
	for (int i = 0; i < l->base->stages; i++) {
		struct stage *s = &l->stage[i];

		s->clock = s->memory = 0;
		s->live = 0;
		s->last = PHASE_F;
		s->returned = s->idle = false;
		s->script = l->base->op + l->base->first[i];
		s->unpaid = s->out = out->op + out->first[i];
		for (int k = 0; k < 2 * l->base->chunks; k++) {
			struct queue *q = &s->queue[k];

			q->next = q->first;
			q->heard = q->from != NULL ? q->from->first : NULL;
			look(q);
		}
	}
}

bool
lister_list(struct lister *l, struct rule rule, struct schedule *out)
{
	l->rule = rule;
	begin(l, out);
	for (;;) {
		struct turn first = turns_first(&l->turns);

		if (first.time == INFINITY)
			return l->left == 0;
		choose(l, first.stage, first.time);
	}
}

bool
list_schedule(const struct schedule *base, const struct load *load, const struct room *room, struct rule rule,
    struct schedule *result)
{
	struct lister *l = lister_new(base, load, room);
	bool done;

	*result = schedule_copy(base);
	done = lister_list(l, rule, result);
	lister_free(l);
	if (!done)
		schedule_free(result);
	return done;
}
