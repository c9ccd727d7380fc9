/* Simulation: one pass over the operations in an order in which all of them can run. */
#include "simulation.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "simulation_blocking.h"

/* One phase of one piece: where its ends are written, and those it waits for. */
struct line {
	double *end;
	const double *need;	/* NULL: waits for none */
	double delay, duration;
	const double *factor;	/* of the duration, by unit; NULL: all 1 */
	double first, change;	/* of the stage's memory, MB: when it begins, and in all */
	double transient;	/* MB, there only while it runs */
};

struct stage {
	const struct op *next, *last;
	double clock;
	double memory, peak;	/* MB of activations, at the clock and at most */
	struct line *line;	/* [chunk x PHASES + phase] */
	int wake[2];		/* stages that may go on when this one has; -1: none */
	bool queued;
};

/* Of a micro-batch like the mean one. */
static double
mean_duration(const struct load *l, int stage, struct op op)
{
	size_t piece = (size_t)op.chunk * (size_t)l->stages + (size_t)stage;

	switch ((enum phase)op.phase) {
	case PHASE_F:
		return l->forward.at[piece];
	case PHASE_B:
		return l->backward.at[piece];
	case PHASE_W:
		return l->weight.at[piece];
	case PHASE_I:
		return l->backward.at[piece] - l->weight.at[piece];
	case PHASES:
		break;
	}
	return 0;
}

double
simulation_duration(const struct load *l, int stage, struct op op)
{
	const double *factor = load_factors(l, stage, op);

	return (factor != NULL ? factor[op.micro] : 1) * mean_duration(l, stage, op);
}

double
simulation_memory(const struct load *l, int stage, struct op op)
{
	size_t piece = (size_t)op.chunk * (size_t)l->stages + (size_t)stage;

	switch ((enum phase)op.phase) {
	case PHASE_F:
		return l->activation.at[piece];
	case PHASE_B:
		return -l->activation.at[piece];
	case PHASE_W:
		return -l->kept.at[piece];
	case PHASE_I:
		return l->kept.at[piece] - l->activation.at[piece];
	case PHASES:
		break;
	}
	return 0;
}

double
simulation_held(const struct load *l, int stage, const struct op *op, double before)
{
	const struct op *other = op->joined == 2 ? op - 1 : op + 1;
	double transient = load_transient(l, op->chunk, stage);

	if (op->joined != 0)
		transient += load_transient(l, other->chunk, stage);
	return before + (op->phase == PHASE_F ? simulation_memory(l, stage, *op) : 0) + transient;
}

double
simulation_start(const struct simulation *sim, int stage, size_t i)
{
	const struct op *op = sim->schedule->op + i, *other = op->joined == 2 ? op - 1 : op + 1;
	double duration = simulation_duration(sim->load, stage, *op), start;

	if (op->joined != 0)
		duration = sim->load->together * (duration + simulation_duration(sim->load, stage, *other));
	start = sim->end[schedule_slot(sim->schedule, stage, *op)] - duration;
	return start > 0 ? start : 0;	/* not -1e-16 */
}

static struct line
line_of(const struct simulation *sim, int stage, struct op op)
{
	struct need need = schedule_need(sim->schedule, stage, op);
	struct line line = {
		.end = sim->end + schedule_slot(sim->schedule, stage, op),
		.duration = mean_duration(sim->load, stage, op),
		.factor = load_factors(sim->load, stage, op),
		.first = op.phase == PHASE_F ? simulation_memory(sim->load, stage, op) : 0,
		.change = simulation_memory(sim->load, stage, op),
		.transient = load_transient(sim->load, op.chunk, stage),
	};

	if (need.stage >= 0) {
		line.need = sim->end + schedule_slot(sim->schedule, need.stage, need.op);
		line.delay = load_delay(sim->load, need.stage, stage);
	}
	return line;
}

static void
wake_too(struct stage *from, int stage)
{
	for (int i = 0; i < 2; i++)
		if (from->wake[i] == stage || from->wake[i] < 0) {
			from->wake[i] = stage;
			return;
		}
	/* Data go to two neighbours at most, whatever the schedule. */
	abort();
}

/* The first operation of a stage's K-th line. */
static struct op
line_op(int k)
{
	return (struct op){ .chunk = (uint16_t)(k / PHASES), .phase = (uint8_t)(k % PHASES) };
}

/* Only orders with split backwards have all phases. */
static bool
occurs(const struct schedule *s, struct op op)
{
	return s->planes > 2 || op.phase == PHASE_F || op.phase == PHASE_B;
}

static struct stage *
stages_new(const struct simulation *sim)
{
	const struct schedule *s = sim->schedule;
	int lines = s->chunks * PHASES;
	struct stage *stages = xcalloc((size_t)s->stages, sizeof *stages);
	struct line *line = xcalloc((size_t)s->stages * (size_t)lines, sizeof *line);

	for (int i = 0; i < s->stages; i++)
		stages[i] = (struct stage){
			.next = s->op + s->first[i],
			.last = s->op + s->first[i + 1],
			.line = line + (size_t)i * (size_t)lines,
			.wake = { -1, -1 },
		};
	for (int i = 0; i < s->stages; i++)
		for (int k = 0; k < lines; k++) {
			struct op op = line_op(k);
			struct need need;

			if (!occurs(s, op))
				continue;
			need = schedule_need(s, i, op);
			stages[i].line[k] = line_of(sim, i, op);
			if (need.stage >= 0 && need.stage != i)
				wake_too(&stages[need.stage], i);
		}
	return stages;
}

/* When what an operation waits for arrives; -1: that has not run. */
static inline double
arrival(const struct line *line, uint32_t micro)
{
	double needed;

	if (line->need == NULL)
		return 0;
	needed = line->need[micro];
	return needed < 0 ? needed : needed + line->delay;
}

static inline double
duration(const struct line *line, uint32_t micro)
{
	return line->factor == NULL ? line->duration : line->factor[micro] * line->duration;
}

static inline double
larger(double a, double b)
{
	return a > b ? a : b;
}

/* Let a stage go on until it must wait; true when it went at all. */
static bool
advance(struct stage *stage, double together)
{
	const struct op *op = stage->next;
	double clock = stage->clock, memory = stage->memory, peak = stage->peak;

	for (; op < stage->last; op++) {
		const struct line *line = &stage->line[op->chunk * PHASES + op->phase];
		double arrives = arrival(line, op->micro);

		if (arrives < 0)
			break;
		if (op->joined) {
			const struct line *other = &stage->line[op[1].chunk * PHASES + op[1].phase];
			double too = arrival(other, op[1].micro);

			if (too < 0)
				break;
			clock = larger(clock, larger(arrives, too));
			clock += together * (duration(line, op->micro) + duration(other, op[1].micro));
			line->end[op->micro] = other->end[op[1].micro] = clock;
			peak = larger(peak, memory + line->first + line->transient + other->transient);
			memory += line->change;
			peak = larger(peak, memory + other->first + line->transient + other->transient);
			memory += other->change;
			op++;
			continue;
		}
		clock = larger(clock, arrives);
		line->end[op->micro] = clock += duration(line, op->micro);
		peak = larger(peak, memory + line->first + line->transient);
		memory += line->change;
	}
	if (op == stage->next)
		return false;
	stage->next = op;
	stage->clock = clock;
	stage->memory = memory;
	stage->peak = peak;
	return true;
}

/* A ring of the stages that may be able to go on. */
static bool
run_stages(struct stage *stages, int n, double together)
{
	int *ring = xcalloc((size_t)n, sizeof *ring), head = 0, queued = n;
	bool done = true;

	for (int i = 0; i < n; i++) {
		ring[i] = i;
		stages[i].queued = true;
	}
	while (queued > 0) {
		struct stage *stage = &stages[ring[head]];

		head = head + 1 == n ? 0 : head + 1;
		queued--;
		stage->queued = false;
		if (!advance(stage, together))
			continue;
		for (int i = 0; i < 2; i++)
			if (stage->wake[i] >= 0 && !stages[stage->wake[i]].queued) {
				stages[stage->wake[i]].queued = true;
				__builtin_prefetch(stages[stage->wake[i]].next);
				ring[(head + queued++) % n] = stage->wake[i];
			}
	}
	for (int i = 0; i < n; i++)
		done &= stages[i].next == stages[i].last;
	free(ring);
	return done;
}

bool
simulation_run(struct simulation *sim, const struct schedule *s, const struct load *load)
{
	struct stage *stages;
	bool done;
	size_t slots = schedule_slots(s);

	if (load->blocking && load_delayed(load))
		return simulation_run_blocking(sim, s, load);
	sim->schedule = s;
	sim->load = load;
	sim->ideal = 0;
	if (slots > sim->room) {
		free(sim->end);
		sim->end = xcalloc(slots, sizeof *sim->end);
		sim->room = slots;
	}
	for (size_t i = 0; i < slots; i++)
		sim->end[i] = -1;
	stages = stages_new(sim);
	done = run_stages(stages, s->stages, load->together);
	sim->step_time = 0;
	if (sim->peak.n != s->stages) {
		free(sim->peak.at);
		sim->peak = list_new(s->stages);
	}
	for (int i = 0; i < s->stages; i++) {
		sim->step_time = larger(sim->step_time, stages[i].clock);
		sim->peak.at[i] = list_get(load->fixed, i) + stages[i].peak;
	}
	free(stages[0].line);
	free(stages);
	if (!done)
		sim->step_time = -1;
	return done;
}

double
simulation_whole(const struct simulation *sim)
{
	const struct schedule *s = sim->schedule;
	struct list end = list_new(s->stages);
	double whole;

	for (int i = 0; i < s->stages; i++)
		end.at[i] = sim->end[schedule_slot(s, i, s->op[s->first[i + 1] - 1])];
	whole = overhead_step(sim->load->overhead, sim->load->early, s->stages, end.at);
	free(end.at);
	return whole;
}

void
simulation_free(struct simulation *sim)
{
	free(sim->end);
	free(sim->peak.at);
	*sim = (struct simulation){ 0 };
}
