#include "shop_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "turns.h"

/* Progress of a queue of a stage. */
struct queue {
	double at;		/* ms at which the data of its next operation arrive; infinity: unknown, or none left */
	double delay;		/* ms of the transfer to the queue that depends on it */
	double *start, *end;	/* [micro] */
	const struct queue *from;	/* queue that it depends on; NULL: none */
	struct queue *to;		/* queue that depends on it; NULL: none */
	int stage;
	int next;
};

struct listed_stage {
	double memory;
	const double *time;
	struct queue *queue;
	int *live;		/* number of micro-batches in flight, [chunk] */
	const struct op *unpaid;	/* oldest operation in OUT whose W has not run */
	struct op *out;
	int waiting;
	bool backward;		/* the last operation was a backward */
	bool idle;
};

struct shop_lister {
	const struct shop *shop;
	const struct listing *how;
	struct listed_stage *stage;
	struct queue *queue;	/* [stage][queue] */
	int *live;		/* [stage][chunk] */
	int *rank;		/* priority, least first, [RANKS][queue] */
	double *urgency;	/* urgency of each queue of the current stage; infinity: cannot run */
	struct turns turns;
	double *start, *end;
	size_t left;
};

/*
 * Priorities, 0 first, of: forwards and backwards of the first half of the chunks, forwards and backwards
 * of the second half. Within a half, chunks are in order.
 */
static const uint8_t ranks[RANKS][4] = {
	{ 3, 1, 2, 0 }, { 3, 0, 2, 1 }, { 2, 1, 3, 0 }, { 2, 0, 3, 1 },
	{ 3, 2, 1, 0 }, { 1, 3, 0, 2 }, { 1, 2, 0, 3 }, { 0, 3, 1, 2 }, { 3, 2, 0, 1 },
};

static int *
ranks_new(const struct shop *j)
{
	int *rank = xcalloc((size_t)(RANKS * j->queues), sizeof *rank);

	for (int i = 0; i < RANKS * j->queues; i++) {
		const uint8_t *of = ranks[i / j->queues];
		int v = i % j->queues / 2, back = i % 2, half = 2 * v / j->chunks;
		bool deep = of[2 + back] < of[back];

		rank[i] = of[2 * half + back] * j->chunks + (deep ? j->chunks - 1 - v : v);
	}
	return rank;
}

struct shop_lister *
shop_lister_new(const struct shop *j)
{
	struct shop_lister *l = xcalloc(1, sizeof *l);
	size_t queues = (size_t)(j->stages * j->queues), slots = queues * (size_t)j->micro;

	*l = (struct shop_lister){ .shop = j, .turns = turns_new(j->stages), .rank = ranks_new(j) };
	l->stage = xcalloc((size_t)j->stages, sizeof *l->stage);
	l->queue = xcalloc(queues, sizeof *l->queue);
	l->live = xcalloc(queues / 2, sizeof *l->live);
	l->urgency = xcalloc((size_t)j->queues, sizeof *l->urgency);
	l->start = xcalloc(slots, sizeof *l->start);
	l->end = xcalloc(slots, sizeof *l->end);
	return l;
}

void
shop_lister_free(struct shop_lister *l)
{
	turns_free(&l->turns);
	free(l->stage);
	free(l->queue);
	free(l->live);
	free(l->rank);
	free(l->urgency);
	free(l->start);
	free(l->end);
	free(l);
}

const double *
shop_list_starts(const struct shop_lister *l)
{
	return l->start;
}

static void
begin(struct shop_lister *l, const struct schedule *s)
{
	const struct shop *j = l->shop;
	const double *time = l->how->time != NULL ? l->how->time : j->time;

	memset(l->live, 0, (size_t)(j->stages * j->chunks) * sizeof *l->live);
	for (int i = 0; i < j->stages; i++)
		l->stage[i] = (struct listed_stage){ .time = time + (size_t)(i * j->chunks) * PHASES,
		    .queue = l->queue + i * j->queues, .live = l->live + i * j->chunks,
		    .out = s->op + s->first[i], .unpaid = s->op + s->first[i] };
	for (int i = 0; i < j->stages * j->queues; i++)
		l->queue[i] = (struct queue){ .at = INFINITY, .stage = i / j->queues,
		    .start = l->start + (size_t)i * (size_t)j->micro, .end = l->end + (size_t)i * (size_t)j->micro };
	for (int i = 0; i < j->stages * j->queues; i++) {
		struct feed feed = j->feed[i];
		struct queue *q = &l->queue[i], *from;

		if (feed.stage < 0) {
			q->at = 0;
			continue;
		}
		q->from = from = &l->queue[feed.stage * j->queues + feed.queue];
		from->to = q;
		from->delay = shop_delay(j, l->how->lane, feed.stage, q->stage);
	}
	l->left = schedule_ops(s);
	turns_begin(&l->turns, j->stages);
}

/*
 * Return whether memory suffices for a forward of CHUNK, and then for one forward in each later chunk that holds
 * nothing. If memory grows, this counts every later chunk. It must also suffice for what each of their backwards then
 * leaves to its W.
 */
static bool
fits_chunks(const struct shop *j, const struct listed_stage *s, int chunk, const double *activation, const double *kept,
    double limit)
{
	double memory = s->memory + activation[chunk], most;

	for (int v = chunk + 1; v < j->chunks; v++)
		memory += s->live[v] == 0 || j->grows ? activation[v] : 0;
	most = memory;
	for (int v = j->chunks - 1; v >= 0 && j->grows; v--) {
		most = fmax(most, memory + kept[v] - activation[v]);
		memory -= v >= chunk ? activation[v] : 0;
	}
	return most <= limit;
}

/*
 * Return whether memory suffices for a forward of CHUNK, and later for the oldest micro-batch of every chunk. By then
 * the backwards of all earlier micro-batches have run. Each micro-batch then frees the memory that the next one needs,
 * so the oldest can always proceed.
 */
static bool
fits(const struct shop_lister *l, const struct listed_stage *s, int chunk)
{
	const struct shop *j = l->shop;
	int stage = (int)(s - l->stage), all = s->queue[j->queues - 2].next + (chunk == j->chunks - 1);
	const double *activation = j->activation + stage * j->chunks;
	double limit = j->limit[stage], memory = 0;

	if (j->grows || j->unlike)
		return fits_chunks(j, s, chunk, activation, j->kept + stage * j->chunks, limit);
	for (int v = 0; v < j->chunks; v++) {
		int ahead = s->queue[2 * v].next + (v == chunk) - all;

		memory += activation[v] * (ahead > 1 ? ahead : 1);
	}
	return s->memory + activation[chunk] <= limit && memory <= limit;
}

/*
 * Return whether a backward must wait. It must if the memory that it leaves to its W is not free until another W has
 * run.
 */
static bool
too_much(const struct shop_lister *l, const struct listed_stage *s, int chunk)
{
	const struct shop *j = l->shop;
	int stage = (int)(s - l->stage), piece = stage * j->chunks + chunk;

	return j->grows && s->waiting > 0 && j->kept[piece] > j->activation[piece] &&
	    s->memory + j->kept[piece] - j->activation[piece] > j->limit[stage];
}

static bool
capped(const struct shop_lister *l, const struct listed_stage *s, int chunk)
{
	return l->how->cap != NULL && s->live[chunk] >= l->how->cap[(s - l->stage) * l->shop->chunks + chunk] &&
	    s->live[chunk] > 0;
}

static void
run(struct shop_lister *l, int stage, double now, int k)
{
	struct listed_stage *s = &l->stage[stage];
	struct queue *q = &s->queue[k], *to = q->to;
	const struct shop *j = l->shop;
	int chunk = k / 2, m = q->next++;
	size_t piece = (size_t)(stage * j->chunks + chunk);
	bool back = k % 2;
	double end = now + s->time[chunk * PHASES + (back ? PHASE_I : PHASE_F)];

	q->start[m] = now;
	q->end[m] = end;
	*s->out++ = (struct op){ .micro = (uint32_t)m, .chunk = (uint16_t)chunk, .phase = (uint8_t)queue_phase(j, k) };
	s->memory += back ? j->kept[piece] - j->activation[piece] : j->activation[piece];
	s->live[chunk] += back ? -1 : 1;
	s->waiting += back && !j->whole;
	s->backward = back;
	l->left--;
	/* Data of the next operation may have arrived already. */
	if (m + 1 == j->micro)
		q->at = INFINITY;
	else if (q->from == NULL)
		q->at = 0;
	else
		q->at = q->from->next > m + 1 ? q->from->end[m + 1] + q->from->delay : INFINITY;
	if (to != NULL && to->next == m) {
		to->at = end + q->delay;
		if (l->stage[to->stage].idle && to->stage != stage && to->at < turns_time(&l->turns, to->stage))
			turns_set(&l->turns, to->stage, to->at);
	}
	turns_set(&l->turns, stage, end);
}

static void
run_weight(struct shop_lister *l, int stage, double now)
{
	struct listed_stage *s = &l->stage[stage];
	struct op op;

	while (s->unpaid->phase != PHASE_I)
		s->unpaid++;
	op = *s->unpaid++;
	op.phase = PHASE_W;
	*s->out++ = op;
	s->waiting--;
	s->memory -= l->shop->kept[stage * l->shop->chunks + op.chunk];
	l->left--;
	turns_set(&l->turns, stage, now + s->time[op.chunk * PHASES + PHASE_W]);
}

/* Return the ms of the next W. */
static double
weight_time(struct listed_stage *s)
{
	while (s->unpaid->phase != PHASE_I)
		s->unpaid++;
	return s->time[s->unpaid->chunk * PHASES + PHASE_W];
}

static double
urgency(const struct shop_lister *l, const struct listed_stage *s, int k)
{
	const struct listing *how = l->how;
	int m = l->shop->micro, queues = l->shop->queues, next = s->queue[k].next;
	int phase = s->queue[0].next == m ? 2 : s->queue[queues - 1].next >= how->filled ? 1 : 0;

	if (how->key != NULL)
		return how->key[(size_t)((s - l->stage) * queues + k) * (size_t)m + (size_t)next];
	return l->rank[how->rank[phase] * queues + k] +
	    (how->turns && phase == 1 && (k % 2 == 1) == s->backward ? 4 * l->shop->chunks : 0);
}

static void
choose(struct shop_lister *l, int stage, double now)
{
	struct listed_stage *s = &l->stage[stage];
	int queues = l->shop->queues, best = -1;
	double *rank = l->urgency, soonest = INFINITY, need, least = INFINITY;
	bool full = false;

	for (int k = 0; k < queues; k++) {
		rank[k] = INFINITY;
		if (s->queue[k].at == INFINITY)
			continue;
		if (k % 2 == 0 && capped(l, s, k / 2))
			continue;
		if (k % 2 == 0 ? !fits(l, s, k / 2) : too_much(l, s, k / 2)) {
			full |= s->queue[k].at <= now;
			continue;
		}
		rank[k] = urgency(l, s, k);
		if (s->queue[k].at <= now && rank[k] < least) {
			best = k;
			least = rank[k];
		}
	}
	if (s->waiting > 0 && s->waiting > l->how->waiting && s->queue[0].next < l->shop->micro) {
		run_weight(l, stage, now);
		return;
	}
	for (int k = 0; k < queues; k++)
		if (rank[k] < least && s->queue[k].at > now)
			soonest = s->queue[k].at < soonest ? s->queue[k].at : soonest;
	if (best >= 0) {
		enum phase phase = best % 2 ? PHASE_I : PHASE_F;

		need = l->how->fit[best % 2 ? PHASE_B : PHASE_F] * s->time[best / 2 * PHASES + phase];
		if (soonest - now >= need) {
			run(l, stage, now, best);
			return;
		}
	}
	if (s->waiting > 0 && ((full && best < 0) || soonest - now >= l->how->fit[PHASE_W] * weight_time(s))) {
		run_weight(l, stage, now);
		return;
	}
	if (soonest == INFINITY && best >= 0) {
		run(l, stage, now, best);
		return;
	}
	s->idle = true;
	turns_set(&l->turns, stage, soonest);
}

bool
shop_list(struct shop_lister *l, const struct listing *how, struct schedule *s)
{
	l->how = how;
	begin(l, s);
	for (;;) {
		struct turn first = turns_first(&l->turns);

		if (first.time == INFINITY)
			return l->left == 0;
		l->stage[first.stage].idle = false;
		choose(l, first.stage, first.time);
	}
}
