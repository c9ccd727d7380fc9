#include "evaluator.h"

#include <assert.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/each_width.h"
#include "lib/base/status.h"
#include "operations.h"
#include "peak_rows.h"

/*
 * Assign registers to end times. A register is reused (register allocation) so that a large schedule fits into the
 * processor's cache. Register 0 holds time 0, for operations without dependency. Register 1 receives the end times that
 * no other stage needs.
 */
static void
give_registers(struct evaluator *o)
{
	/* 1 + the last operation that needs each end time */
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
	uint32_t *latest = xcalloc((size_t)o->clocks, sizeof *latest);

	o->previous = xcalloc((size_t)o->noperations, sizeof *o->previous);
	for (uint32_t i = 0; i < o->noperations; i++) {
		o->previous[i] = latest[o->operation[i].stage];
		latest[o->operation[i].stage] = i + 1;
	}
	free(latest);
}

struct evaluator
evaluator_new(const struct schedule *sched, const struct schedule *whole, enum transfer_mode transfers, bool transient,
    bool keeps, bool joined, const double *delay)
{
	struct evaluator o = {
		.stages = sched->stages,
		.whole = sched->stages,
		.clocks = sched->stages,
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
	if (transfers != TRANSFERS_HIDDEN && o.delayed)
		operations_with_transfers(&o, whole, transfers);
	else
		operations_sort(&o, sched, whole != sched);
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
		free(o->rows[s].running);
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

/*
 * The compiler turns the loops over lanes into vector instructions. It can do so because t[] overlaps no other array.
 */
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
	for (int s = 0; s < o->clocks; s++)
		clock[s] = longest;
	if (!o->delayed)
		run_plain(o->operation, o->noperations, cost, end, clock);
	else
		run_delayed(o->operation, o->edge, o->delay, o->noperations, cost, end, clock);
	for (int s = 0; s < o->whole; s++)
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
	for (int s = 0; s < o->clocks; s++)
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
	for (int s = 0; s < o->whole; s++)
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

	memset(clock, 0, (size_t)o->clocks * sizeof *clock);
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
		/* The operation started when its predecessor ended, or when its data arrived. */
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
