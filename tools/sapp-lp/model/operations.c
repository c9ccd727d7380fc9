/*
 * Operations of a schedule. The order takes one operation of each stage in turn, so that neighbours in the order rarely
 * depend on each other.
 */
#include "operations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/simulate/transfers.h"

struct sorting {
	struct evaluator *o;
	const struct schedule *sched;
	bool folded;
	size_t room;
	uint32_t *done;		/* index by schedule_slot(): 1 + index of the operation; 0: not in the order yet */
	uint32_t *latest;	/* [clocks]: 1 + index of the last operation of each clock; 0: none */
};

/*
 * Return the slot of an operation. In a folded schedule the operation may be on a stage that another stage represents,
 * with its pieces swapped.
 */
static size_t
slot(const struct sorting *t, int stage, struct op op)
{
	const struct evaluator *o = t->o;
	size_t phase = (size_t)op.phase + (op.joined != 0 ? (size_t)(o->phases - PHASES) : 0);
	bool opposite = stage >= o->stages;
	int at = opposite ? t->sched->stages - 1 - stage : stage;
	size_t chunk = opposite ? !op.chunk : op.chunk;

	return phase * (size_t)o->pieces + chunk * (size_t)o->stages + (size_t)at;
}

static void
add_operation(struct sorting *t, int clock, uint32_t needs, uint16_t edge, size_t cost, uint32_t unit)
{
	struct evaluator *o = t->o;

	if (o->noperations == t->room) {
		t->room += t->room / 2 + 64;
		o->operation = xreallocarray(o->operation, t->room, sizeof *o->operation);
		o->needs = xreallocarray(o->needs, t->room, sizeof *o->needs);
		o->edge = xreallocarray(o->edge, t->room, sizeof *o->edge);
		o->unit = xreallocarray(o->unit, t->room, sizeof *o->unit);
	}
	o->operation[o->noperations] = (struct operation){ .slot = (uint16_t)cost, .stage = (uint16_t)clock };
	o->needs[o->noperations] = needs;
	o->unit[o->noperations] = unit;
	o->edge[o->noperations++] = edge;
	t->latest[clock] = o->noperations;
}

/*
 * Return 1 + the first stage of the boundary between two stages. If the stages are not neighbours, it is the last
 * boundary. The boundary of a represented stage equals the opposite boundary.
 */
static uint16_t
crossed(const struct sorting *t, int from, int to)
{
	int stages = t->sched->stages, edge = abs(from - to) > 1 ? stages - 1 : from < to ? from : to;

	return (uint16_t)(1 + (edge >= t->o->stages ? stages - 2 - edge : edge));
}

/* Find the dependency of an operation. Return false if the dependency is not in the order yet. */
static bool
ready(const struct sorting *t, int stage, struct op op, uint32_t *needs, uint16_t *edge)
{
	struct need need = schedule_need(t->sched, stage, op);

	*needs = need.stage < 0 ? 0 : t->done[schedule_slot(t->sched, need.stage, need.op)];
	*edge = 0;
	if (need.stage >= 0 && (need.stage != stage || (t->folded && need.op.chunk != op.chunk)))
		*edge = crossed(t, need.stage, stage);
	return need.stage < 0 || *needs != 0;
}

/*
 * Add N operations of a stage; N is 2 if two overlap. Overlapping operations take the sum of their costs and end
 * together. First an operation without cost waits for the second operation's data, then the two follow. Every operation
 * that depends on one of the two depends on the last.
 */
static void
add_operations(struct sorting *t, int stage, const struct op *op, size_t n, const uint32_t needs[2],
    const uint16_t edge[2])
{
	if (n == 2)
		add_operation(t, stage, needs[1], edge[1], (size_t)t->o->slots - 1, op->micro);
	for (size_t i = 0; i < n; i++)
		add_operation(t, stage, i == 0 ? needs[0] : 0, i == 0 ? edge[0] : 0, slot(t, stage, op[i]),
		    op[i].micro);
}

/*
 * Append the next operation of a stage to the order, or two overlapping operations. Return their number, or 0 if they
 * are not ready.
 */
static size_t
run_next(struct sorting *t, int stage, size_t at)
{
	const struct op *op = t->sched->op + at;
	size_t n = op->joined == 1 ? 2 : 1;
	uint32_t needs[2];
	uint16_t edge[2];

	for (size_t i = 0; i < n; i++)
		if (!ready(t, stage, op[i], &needs[i], &edge[i]))
			return 0;
	add_operations(t, stage, op, n, needs, edge);
	for (size_t i = 0; i < n; i++)
		t->done[schedule_slot(t->sched, stage, op[i])] = t->o->noperations;
	return n;
}

void
operations_sort(struct evaluator *o, const struct schedule *sched, bool folded)
{
	struct sorting t = { .o = o, .sched = sched, .folded = folded };
	size_t *next = xcalloc((size_t)o->stages, sizeof *next), left = schedule_ops(sched);
	bool moved = true;

	t.done = xcalloc(schedule_slots(sched), sizeof *t.done);
	t.latest = xcalloc((size_t)o->clocks, sizeof *t.latest);
	memcpy(next, sched->first, (size_t)o->stages * sizeof *next);
	while (left > 0) {
		assert(moved);
		moved = false;
		for (int s = 0; s < o->stages; s++) {
			size_t n = next[s] < sched->first[s + 1] ? run_next(&t, s, next[s]) : 0;

			next[s] += n;
			left -= n;
			moved |= n > 0;
		}
	}
	free(t.done);
	free(t.latest);
	free(next);
}

/* Progress of a stage in its operations and calls. */
struct progress {
	size_t op, part;
	bool posted;		/* whether the current call is posted */
	long sent[2];		/* its last send of a forward and its last send of a backward */
};

/* A transfer. It takes place when both of its stages have posted it. */
struct crossing {
	bool posted[2];		/* [2]: by the receiver, by the sender */
	uint32_t post[2];	/* 1 + index of the last operation of each stage when it posted; 0: none */
	bool over;		/* whether the end of the transfer is known */
	uint32_t end;		/* 1 + index of the operation in the queue that completes the transfer */
	uint16_t edge;
};

struct operation_walk {
	struct sorting sort;
	struct transfers t;
	struct crossing *x;	/* [transfers], in the order of t.at */
	struct progress *stage;
	long *next;		/* transfers that may take place now */
	bool moved;
};

static void
wait_for(struct operation_walk *w, int clock, uint32_t needs, uint16_t edge, uint32_t unit)
{
	add_operation(&w->sort, clock, needs, edge, (size_t)w->sort.o->slots - 1, unit);
}

/*
 * Add a transfer to the queue of its receiver. It ends when its predecessors in both queues have ended, both stages
 * have posted it, and the transfer time has passed.
 */
static void
take_place(struct operation_walk *w, const struct transfer *t, struct crossing *x, uint32_t unit)
{
	int queues = w->t.way->queues / 2 > 1 ? 2 : 1;
	int clock = w->t.s->stages + t->to * queues + transfers_queue(w->t.way, t, false) % queues;

	for (int side = 0; side < 2; side++) {
		long before = t->before[side];

		if (x->post[side] > 0)
			wait_for(w, clock, x->post[side], 0, unit);
		/* The receiver's queue already orders this predecessor, unless sends share the queue. */
		if (before != NO_TRANSFER && w->sort.latest[clock] != w->x[before].end &&
		    !(side == 0 && w->t.at[before].to == t->to) && !(side == 1 && before == t->before[0]))
			wait_for(w, clock, w->x[before].end, 0, unit);
	}
	if (w->sort.o->delay[x->edge] > 0)
		wait_for(w, clock, w->sort.latest[clock], x->edge, unit);
	x->end = w->sort.latest[clock];
}

static bool
before_over(const struct operation_walk *w, const struct transfer *t)
{
	for (int side = 0; side < 2; side++)
		if (t->before[side] != NO_TRANSFER && !w->x[t->before[side]].over)
			return false;
	return true;
}

/* Perform transfer I, which is posted, and then its successors, if possible. */
static void
go_on(struct operation_walk *w, long i, uint32_t unit)
{
	size_t n = 0;

	w->next[n++] = i;
	while (n > 0) {
		const struct transfer *t = &w->t.at[w->next[--n]];
		struct crossing *x = &w->x[t - w->t.at];

		if (x->over || !x->posted[0] || !x->posted[1] || !before_over(w, t))
			continue;
		x->over = true;
		if (w->t.way->queues > 0)
			take_place(w, t, x, unit);
		for (int side = 0; side < 2; side++)
			if (t->behind[side] != NO_TRANSFER)
				w->next[n++] = t->behind[side];
	}
}

/* Make the stage wait until a transfer ends. FROM: the first operation that may already wait for it. */
static void
stay_for(struct operation_walk *w, int stage, long i, uint32_t from, uint32_t unit)
{
	const struct crossing *x = &w->x[i];
	const struct evaluator *o = w->sort.o;

	if (w->t.way->queues > 0) {
		wait_for(w, stage, x->end, 0, unit);
		return;
	}
	for (int side = 0; side < 2; side++) {
		bool own = (side == 0 ? w->t.at[i].to : w->t.at[i].from) == stage, waits = false;

		for (uint32_t k = from; k < o->noperations; k++)
			waits |= o->needs[k] == x->post[side] && o->edge[k] == x->edge;
		/* A stage that posted before its first operation did so at time 0. */
		if (x->post[side] > 0 && !waits && !(own && o->delay[x->edge] == 0))
			wait_for(w, stage, x->post[side], x->edge, unit);
	}
}

static void
post(struct operation_walk *w, int stage, size_t last, uint32_t unit)
{
	struct progress *p = &w->stage[stage];

	for (size_t k = p->part; k < last; k++) {
		size_t i = w->t.part[k].transfer;
		bool sends = w->t.at[i].from == stage;

		w->x[i].posted[sends] = true;
		w->x[i].post[sends] = w->sort.latest[stage];
	}
	for (size_t k = p->part; k < last; k++)
		go_on(w, (long)w->t.part[k].transfer, unit);
	p->posted = w->moved = true;
}

/* Process a call. Return false if the call must wait for a transfer whose end is not known yet. */
static bool
go_through(struct operation_walk *w, int stage, uint32_t unit)
{
	struct progress *p = &w->stage[stage];
	size_t last = transfers_call_end(&w->t, stage, p->op, p->part);
	uint32_t from;

	if (!p->posted)
		post(w, stage, last, unit);
	for (size_t k = p->part; k < last; k++) {
		long i = transfers_stays_for(&w->t, stage, p->sent, (long)w->t.part[k].transfer);

		if (i != NO_TRANSFER && !w->x[i].over)
			return false;
	}
	from = w->sort.o->noperations;
	for (size_t k = p->part; k < last; k++) {
		long i = transfers_stays_for(&w->t, stage, p->sent, (long)w->t.part[k].transfer);

		if (i != NO_TRANSFER)
			stay_for(w, stage, i, from, unit);
	}
	for (; p->part < last; p->part++) {
		const struct transfer *t = &w->t.at[w->t.part[p->part].transfer];

		if (t->from == stage)
			p->sent[!t->forward] = t - w->t.at;
	}
	p->posted = false;
	return w->moved = true;
}

/* Perform the next operation of a stage, after its calls. Return false if the stage must wait, or has finished. */
static bool
step(struct operation_walk *w, int stage)
{
	const struct schedule *s = w->t.s;
	struct progress *p = &w->stage[stage];
	const struct op *op = s->op + p->op;
	size_t last;
	uint32_t needs[2] = { 0 };
	uint16_t edge[2] = { 0 };

	for (; p->part < w->t.first[stage + 1] && w->t.part[p->part].before == p->op;)
		if (!go_through(w, stage, p->op < s->first[stage + 1] ? op->micro : op[-1].micro))
			return false;
	if (p->op == s->first[stage + 1])
		return false;
	last = transfers_after(s, p->op);
	for (size_t i = p->op; i < last; i++)
		if (w->t.taken[i] != NO_TRANSFER && !w->x[w->t.taken[i]].over)
			return false;
	for (size_t i = p->op; i < last && !w->t.way->receives; i++) {
		const struct crossing *x = w->t.taken[i] == NO_TRANSFER ? NULL : &w->x[w->t.taken[i]];

		if (x == NULL)
			continue;
		if (w->t.way->queues == 0 && x->post[0] > 0)
			wait_for(w, stage, x->post[0], x->edge, op->micro);
		needs[i - p->op] = w->t.way->queues > 0 ? x->end : x->post[1];
		edge[i - p->op] = w->t.way->queues > 0 ? 0 : x->edge;
	}
	add_operations(&w->sort, stage, op, last - p->op, needs, edge);
	p->op = last;
	return w->moved = true;
}

/*
 * Advance all stages from the beginning, with every transfer at its place. Return false if the stages stop before the
 * end.
 */
static bool
walk(struct operation_walk *w)
{
	int n = w->t.s->stages;
	bool done = true;

	w->sort.o->noperations = 0;
	memset(w->sort.latest, 0, (size_t)w->sort.o->clocks * sizeof *w->sort.latest);
	for (size_t i = 0; i < w->t.n; i++)
		w->x[i] = (struct crossing){ .edge = crossed(&w->sort, w->t.at[i].from, w->t.at[i].to) };
	for (int s = 0; s < n; s++)
		w->stage[s] = (struct progress){ .op = w->t.s->first[s], .part = w->t.first[s],
		    .sent = { NO_TRANSFER, NO_TRANSFER } };
	do {
		w->moved = false;
		for (int s = 0; s < n; s++)
			step(w, s);
	} while (w->moved);
	for (int s = 0; s < n; s++)
		done &= w->stage[s].op == w->t.s->first[s + 1] && w->stage[s].part == w->t.first[s + 1];
	return done;
}

void
operations_with_transfers(struct evaluator *o, const struct schedule *whole, enum transfer_mode transfers)
{
	struct chunks timeless = { .schedule = (int)whole->shape.kind,
	    .forward = table_new(whole->chunks, whole->stages), .transfers = (int)transfers };
	struct load load = load_from_chunks(&timeless);
	struct operation_walk w = { .sort = { .o = o, .sched = whole } };
	struct simulation sim = { 0 };
	bool done = transfers_find(&w.t, &sim, whole, &load);

	assert(done);
	o->whole = whole->stages;
	o->clocks = whole->stages * (w.t.way->queues == 0 ? 1 : w.t.way->queues == 4 ? 3 : 2);
	w.sort.latest = xcalloc((size_t)o->clocks, sizeof *w.sort.latest);
	w.x = xcalloc(w.t.n, sizeof *w.x);
	w.next = xcalloc(w.t.n + 2, sizeof *w.next);
	w.stage = xcalloc((size_t)whole->stages, sizeof *w.stage);
	transfers_arrange(&w.t, false);
	if (!walk(&w)) {
		transfers_arrange(&w.t, true);
		done = walk(&w);
		assert(done);
	}
	free(w.sort.latest);
	free(w.x);
	free(w.next);
	free(w.stage);
	transfers_free(&w.t);
	simulation_free(&sim);
	load_free(&load);
	free(timeless.forward.at);
}
