/* Evaluator: a schedule in topological order, and passes over it. */
#include "evaluator.h"

#include <assert.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/each_width.h"
#include "lib/base/status.h"
#include "peak_rows.h"

static size_t
slot(const struct evaluator *o, int stage, struct op op)
{
	size_t phase = (size_t)op.phase + (op.joined != 0 ? (size_t)(o->phases - PHASES) : 0);

	return phase * (size_t)o->pieces + (size_t)op.chunk * (size_t)o->stages + (size_t)stage;
}

struct sorting {
	struct evaluator *o;
	const struct schedule *sched;
	uint32_t *done;		/* by schedule_slot(): 1 + the index of the operation, 0: not in the order yet */
	size_t room;
	bool folded;
	struct exchanging *exchange;	/* [stages]; NULL: data go on behind the operations */
	/* By schedule_slot() of what is received, and sent: 2 + the operation before; 0: not yet. */
	uint32_t *post[2];
};

/* How far a stage has come with the exchanges before its next operation. */
struct exchanging {
	uint32_t latest;	/* 1 + its last operation so far, 0: none */
	int done;		/* of those transfers */
	bool posted;		/* it stands at the next exchange */
};

static void
add_operation(struct sorting *t, int stage, uint32_t needs, uint16_t edge, size_t cost, uint32_t unit)
{
	struct evaluator *o = t->o;

	if (o->noperations == t->room) {
		t->room += t->room / 2 + 64;
		o->operation = xreallocarray(o->operation, t->room, sizeof *o->operation);
		o->needs = xreallocarray(o->needs, t->room, sizeof *o->needs);
		o->edge = xreallocarray(o->edge, t->room, sizeof *o->edge);
		o->unit = xreallocarray(o->unit, t->room, sizeof *o->unit);
	}
	o->operation[o->noperations] = (struct operation){ .slot = (uint16_t)cost, .stage = (uint16_t)stage };
	o->needs[o->noperations] = needs;
	o->unit[o->noperations] = unit;
	o->edge[o->noperations++] = edge;
	if (t->exchange != NULL)
		t->exchange[stage].latest = o->noperations;
}

/* Of the boundary between two stages, where data do not go through a third: 1 + the stage before it. */
static uint16_t
crossed(int stages, int from, int to)
{
	return (uint16_t)(1 + (abs(from - to) > 1 ? stages - 1 : from < to ? from : to));
}

/* What an operation waits for; false when that is not in the order yet. */
static bool
ready(const struct sorting *t, int stage, struct op op, uint32_t *needs, uint16_t *edge)
{
	struct need need = schedule_need(t->sched, stage, op);

	*needs = need.stage < 0 ? 0 : t->done[schedule_slot(t->sched, need.stage, need.op)];
	*edge = 0;
	if (t->exchange != NULL && need.stage != stage)
		*needs = 0;	/* its exchange is over */
	else if (need.stage >= 0 && (need.stage != stage || (t->folded && need.op.chunk != op.chunk)))
		*edge = crossed(t->o->stages, need.stage, stage);
	return need.stage < 0 || *needs != 0 || t->exchange != NULL;
}

struct message {
	int peer;
	bool sent;
	size_t slot;		/* of the operation that makes it */
};

/* What a stage sends and receives between the operation before position AT of its order and that; how many. */
static int
messages_before(const struct sorting *t, int stage, size_t at, struct message *m)
{
	const struct op *op = t->sched->op + at;
	struct need need = schedule_need(t->sched, stage, *op);
	int n = 0, to = at > t->sched->first[stage] ? schedule_receiver(t->sched, stage, op[-1]) : -1;

	if (to >= 0)
		m[n++] = (struct message){ to, true, schedule_slot(t->sched, stage, op[-1]) };
	if (need.stage >= 0 && need.stage != stage)
		m[n++] = (struct message){ need.stage, false, schedule_slot(t->sched, need.stage, need.op) };
	return n;
}

/*
 * The exchanges before an operation: a stage sends and receives at once with another one, or sends first. It goes on
 * when, behind its own coming and behind the other's, the transfer's time has passed: operations without cost that wait
 * for either. False where the other has not come yet; *MOVED where this has.
 */
static bool
exchange(struct sorting *t, int stage, size_t at, bool *moved)
{
	struct exchanging *x = &t->exchange[stage];
	uint32_t unit = t->sched->op[at].micro;
	struct message m[2];
	int n = messages_before(t, stage, at, m);

	while (x->done < n) {
		int from = x->done, to = n == 2 && m[0].peer == m[1].peer ? 2 : from + 1;
		uint16_t edge = crossed(t->o->stages, stage, m[from].peer), none = (uint16_t)(t->o->slots - 1);
		uint32_t own = x->latest, last = 0;

		for (int k = from; k < to && !x->posted; k++)
			t->post[m[k].sent][m[k].slot] = 2 + own;
		*moved |= !x->posted;
		x->posted = true;
		for (int k = from; k < to; k++)
			if (t->post[!m[k].sent][m[k].slot] == 0)
				return false;
		/* Where it has run nothing, what the other one sends has taken at least as long. */
		if (own > 0 && t->o->delay[edge] > 0)
			add_operation(t, stage, own, edge, none, unit);
		for (int k = from; k < to; k++) {
			uint32_t other = t->post[!m[k].sent][m[k].slot] - 2;

			if (other > 0 && other != last)
				add_operation(t, stage, other, edge, none, unit);
			last = other;
		}
		x->done = to;
		x->posted = false;
		*moved = true;
	}
	return true;
}

/*
 * Put the next operation of a stage in order, or the next two when they run together; returns how many, 0: not ready.
 * Two that run together take the sum of their costs and end together: an operation without cost waits for what the
 * second needs, then the two follow, and who needs either needs the last.
 */
static size_t
run_next(struct sorting *t, int stage, size_t at, bool *moved)
{
	const struct op *op = t->sched->op + at;
	size_t n = op->joined == 1 ? 2 : 1;
	uint32_t needs[2];
	uint16_t edge[2];

	if (t->exchange != NULL && !exchange(t, stage, at, moved))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (!ready(t, stage, op[i], &needs[i], &edge[i]))
			return 0;
	if (n == 2)
		add_operation(t, stage, needs[1], edge[1], (size_t)t->o->slots - 1, op->micro);
	for (size_t i = 0; i < n; i++)
		add_operation(t, stage, i == 0 ? needs[0] : 0, i == 0 ? edge[0] : 0, slot(t->o, stage, op[i]),
		    op[i].micro);
	for (size_t i = 0; i < n; i++)
		t->done[schedule_slot(t->sched, stage, op[i])] = t->o->noperations;
	if (t->exchange != NULL) {
		t->exchange[stage].done = 0;
		if (at + n == t->sched->first[stage + 1])
			t->post[true][schedule_slot(t->sched, stage, *op)] = 2 + t->o->noperations;
	}
	return n;
}

/*
 * Topological order: round the stages, one operation of each a turn if what it needs is in the order. Neighbours in the
 * order then rarely depend on each other, which keeps the processor's pipelines full.
 */
static void
sort(struct evaluator *o, const struct schedule *sched, bool folded, bool exchanges)
{
	struct sorting t = { .o = o, .sched = sched, .folded = folded };
	size_t *next = xcalloc((size_t)o->stages, sizeof *next), left = schedule_ops(sched);
	bool moved = true;

	t.done = xcalloc(schedule_slots(sched), sizeof *t.done);
	if (exchanges) {
		t.exchange = xcalloc((size_t)o->stages, sizeof *t.exchange);
		for (int i = 0; i < 2; i++)
			t.post[i] = xcalloc(schedule_slots(sched), sizeof *t.post[i]);
	}
	memcpy(next, sched->first, (size_t)o->stages * sizeof *next);
	while (left > 0) {
		assert(moved);
		moved = false;
		for (int s = 0; s < o->stages; s++) {
			size_t n = next[s] < sched->first[s + 1] ? run_next(&t, s, next[s], &moved) : 0;

			next[s] += n;
			left -= n;
			moved |= n > 0;
		}
	}
	free(t.done);
	free(t.exchange);
	free(t.post[0]);
	free(t.post[1]);
	free(next);
}

/*
 * Registers for the end times, used again (register allocation) so that those of a large schedule stay in the
 * processor's cache. Register 0 holds the time 0 of operations that need nothing; register 1 takes the times that no
 * other stage needs.
 */
static void
give_registers(struct evaluator *o)
{
	/* 1 + the last operation that needs each */
	uint32_t *last = xcalloc((size_t)o->noperations + 1, sizeof *last);
	uint32_t *reg = xcalloc((size_t)o->noperations + 1, sizeof *reg);
	uint32_t *idle = xcalloc((size_t)o->noperations + 1, sizeof *idle), nidle = 0;

	for (uint32_t i = 0; i < o->noperations; i++)
		last[o->needs[i]] = i + 1;
	o->registers = 2;
	for (uint32_t i = 0; i < o->noperations; i++) {
		uint32_t needs = o->needs[i];

		o->operation[i].from = reg[needs];
		if (needs > 0 && last[needs] == i + 1)
			idle[nidle++] = reg[needs];
		reg[i + 1] = last[i + 1] == 0 ? 1 : nidle > 0 ? idle[--nidle] : o->registers++;
		o->operation[i].to = reg[i + 1];
	}
	free(last);
	free(reg);
	free(idle);
}

static void
find_previous(struct evaluator *o)
{
	uint32_t *latest = xcalloc((size_t)o->stages, sizeof *latest);

	o->previous = xcalloc((size_t)o->noperations, sizeof *o->previous);
	for (uint32_t i = 0; i < o->noperations; i++) {
		o->previous[i] = latest[o->operation[i].stage];
		latest[o->operation[i].stage] = i + 1;
	}
	free(latest);
}

struct evaluator
evaluator_new(const struct schedule *sched, bool transient, bool keeps, bool joined, bool folded, bool exchanges,
    const double *delay)
{
	struct evaluator o = {
		.stages = sched->stages,
		.chunks = sched->chunks,
		.micro = sched->micro,
		.pieces = sched->stages * sched->chunks,
		.phases = joined ? 2 * PHASES : PHASES,
	};

	o.slots = o.phases * o.pieces + 1;
	assert(o.slots <= UINT16_MAX + 1);
	o.delay = xcalloc((size_t)o.stages + 1, sizeof *o.delay);
	for (int s = 0; s < o.stages; s++) {
		o.delay[1 + s] = delay[s];
		o.delayed |= delay[s] > 0;
	}
	sort(&o, sched, folded, exchanges);
	give_registers(&o);
	find_previous(&o);
	o.rows = peak_rows(sched, transient, keeps);
	return o;
}

void
evaluator_free(struct evaluator *o)
{
	for (int s = 0; s < o->stages; s++) {
		free(o->rows[s].live);
		free(o->rows[s].held);
		free(o->rows[s].runs);
	}
	free(o->rows);
	free(o->operation);
	free(o->needs);
	free(o->previous);
	free(o->edge);
	free(o->unit);
	free(o->delay);
	memset(o, 0, sizeof *o);
}

/* The loops over lanes become vector instructions; t[] tells the compiler that nothing overlaps. */
EACH_WIDTH static void
run_plain(const struct operation *restrict operation, uint32_t n, const struct lanes *restrict cost,
    struct lanes *restrict end, struct lanes *restrict clock)
{
	for (uint32_t i = 0; i < n; i++) {
		const double *need = end[operation[i].from].at, *c = cost[operation[i].slot].at;
		double *own = clock[operation[i].stage].at, *out = end[operation[i].to].at;

		double t[LANES];

		for (int l = 0; l < LANES; l++)
			t[l] = (own[l] > need[l] ? own[l] : need[l]) + c[l];
		for (int l = 0; l < LANES; l++)
			out[l] = own[l] = t[l];
	}
}

EACH_WIDTH static void
run_delayed(const struct operation *restrict operation, const uint16_t *restrict edge, const double *restrict delays,
    uint32_t n, const struct lanes *restrict cost, struct lanes *restrict end, struct lanes *restrict clock)
{
	for (uint32_t i = 0; i < n; i++) {
		const double *need = end[operation[i].from].at, *c = cost[operation[i].slot].at;
		double *own = clock[operation[i].stage].at, *out = end[operation[i].to].at;
		double delay = delays[edge[i]];

		double t[LANES];

		for (int l = 0; l < LANES; l++)
			t[l] = (own[l] > need[l] + delay ? own[l] : need[l] + delay) + c[l];
		for (int l = 0; l < LANES; l++)
			out[l] = own[l] = t[l];
	}
}

struct lanes
evaluator_run(const struct evaluator *o, const struct lanes *cost, struct lanes *end, struct lanes *clock)
{
	struct lanes longest = { { 0 } };

	end[0] = longest;
	for (int s = 0; s < o->stages; s++)
		clock[s] = longest;
	if (!o->delayed)
		run_plain(o->operation, o->noperations, cost, end, clock);
	else
		run_delayed(o->operation, o->edge, o->delay, o->noperations, cost, end, clock);
	for (int s = 0; s < o->stages; s++)
		for (int l = 0; l < LANES; l++)
			if (clock[s].at[l] > longest.at[l])
				longest.at[l] = clock[s].at[l];
	return longest;
}

struct lanes
evaluator_sample(const struct evaluator *o, const double *cost, const struct lanes *factor, int splits,
    struct lanes *end, struct lanes *clock)
{
	struct lanes longest = { { 0 } };

	end[0] = longest;
	for (int s = 0; s < o->stages; s++)
		clock[s] = longest;
	for (uint32_t i = 0; i < o->noperations; i++) {
		const struct operation *st = &o->operation[i];
		const double *need = end[st->from].at;
		const double *f = factor[o->unit[i] / (uint32_t)splits * (uint32_t)o->pieces + st->slot % o->pieces].at;
		double *own = clock[st->stage].at, delay = o->delay[o->edge[i]], t[LANES];

		for (int l = 0; l < LANES; l++)
			t[l] = (own[l] > need[l] + delay ? own[l] : need[l] + delay) + f[l] * cost[st->slot];
		for (int l = 0; l < LANES; l++)
			end[st->to].at[l] = own[l] = t[l];
	}
	for (int s = 0; s < o->stages; s++)
		for (int l = 0; l < LANES; l++)
			longest.at[l] = clock[s].at[l] > longest.at[l] ? clock[s].at[l] : longest.at[l];
	return longest;
}

struct lanes *
evaluator_lanes(size_t n)
{
	struct lanes *l = aligned_alloc(sizeof *l, (n ? n : 1) * sizeof *l);

	if (l == NULL)
		err(STATUS_ERROR, "out of memory");
	memset(l, 0, n * sizeof *l);
	return l;
}

double
evaluator_path(const struct evaluator *o, const double *cost, double *end, double *clock, struct visits *path)
{
	double longest = 0;
	uint32_t at = 0;

	memset(clock, 0, (size_t)o->stages * sizeof *clock);
	end[0] = 0;
	for (uint32_t i = 0; i < o->noperations; i++) {
		struct operation st = o->operation[i];
		double arrives = end[o->needs[i]] + o->delay[o->edge[i]], own = clock[st.stage];

		end[i + 1] = clock[st.stage] = (own >= arrives ? own : arrives) + cost[st.slot];
	}
	for (uint32_t i = 1; i <= o->noperations; i++)
		if (end[i] > longest) {
			longest = end[i];
			at = i;
		}
	memset(path->at, 0, (size_t)o->slots * sizeof *path->at);
	path->delay = 0;
	while (at != 0) {
		uint32_t needs = o->needs[at - 1];
		double delay = o->delay[o->edge[at - 1]];
		/* It started when the one before it on its stage ended, or when what it needs arrived. */
		bool waited = end[o->previous[at - 1]] < end[needs] + delay;

		path->at[o->operation[at - 1].slot]++;
		if (waited && needs != 0)
			path->delay += delay;
		at = waited ? needs : o->previous[at - 1];
	}
	return longest;
}

double
visits_length(const struct evaluator *o, const struct visits *path, const double *cost)
{
	double length = path->delay;

	for (int i = 0; i < o->slots; i++)
		length += path->at[i] * cost[i];
	return length;
}
