/* Simulation: one pass over the operations in an order in which all of them can run. */
#include "simulation.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "simulation_blocking.h"

/* Loads under which an order runs side by side: what waits for what is the same in all of them. */
enum { LANES = 1 + SIMULATION_BESIDE };

/* Times of one phase of one piece under a load. */
struct lane {
	double delay, duration;
	const double *factor;	/* of the duration, by unit; NULL: all 1 */
};

/* One phase of one piece: where its ends are written, and those it waits for; under other loads, further on. */
struct line {
	double *end;
	const double *need;	/* NULL: waits for none */
	double first, change;	/* of the stage's memory, MB: when it begins, and in all */
	double transient;	/* MB, there only while it runs */
	struct lane lane[LANES];
};

struct stage {
	const struct op *next, *last;
	double clock[LANES];
	double memory, peak;	/* MB of activations, at the clock and at most */
	struct line *line;	/* [chunk x PHASES + phase] */
	int wake[2];		/* stages that may go on when this one has; -1: none */
	bool queued;
};

double
simulation_mean_duration(const struct load *l, int stage, struct op op)
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

	return (factor != NULL ? factor[op.micro] : 1) * simulation_mean_duration(l, stage, op);
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

static struct lane
lane_of(const struct load *l, int stage, struct op op, struct need need)
{
	return (struct lane){
		.delay = need.stage < 0 ? 0 : load_delay(l, need.stage, stage),
		.duration = simulation_mean_duration(l, stage, op),
		.factor = load_factors(l, stage, op),
	};
}

static struct line
line_of(const struct simulation *sim, int stage, struct op op, const struct load *beside, int n)
{
	struct need need = schedule_need(sim->schedule, stage, op);
	struct line line = {
		.end = sim->end + schedule_slot(sim->schedule, stage, op),
		.first = op.phase == PHASE_F ? simulation_memory(sim->load, stage, op) : 0,
		.change = simulation_memory(sim->load, stage, op),
		.transient = load_transient(sim->load, op.chunk, stage),
		.lane[0] = lane_of(sim->load, stage, op, need),
	};

	for (int i = 0; i < n; i++)
		line.lane[1 + i] = lane_of(&beside[i], stage, op, need);
	if (need.stage >= 0)
		line.need = sim->end + schedule_slot(sim->schedule, need.stage, need.op);
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

static struct stage *
stages_new(const struct simulation *sim, const struct load *beside, int n)
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

			if (!schedule_occurs(s, op))
				continue;
			need = schedule_need(s, i, op);
			stages[i].line[k] = line_of(sim, i, op, beside, n);
			if (need.stage >= 0 && need.stage != i)
				wake_too(&stages[need.stage], i);
		}
	return stages;
}

static inline double
larger(double a, double b)
{
	return a > b ? a : b;
}

/* When an operation can begin on a stage free at CLOCK, what it needs having run. */
static inline double
begins(const struct line *line, uint32_t micro, int lane, size_t slots, double clock)
{
	return line->need == NULL ? larger(clock, 0)
	    : larger(clock, line->need[micro + (size_t)lane * slots] + line->lane[lane].delay);
}

static inline double
duration(const struct lane *lane, uint32_t micro)
{
	return lane->factor == NULL ? lane->duration : lane->factor[micro] * lane->duration;
}

/* Has what an operation waits for run? */
static inline bool
ready(const struct line *line, uint32_t micro)
{
	return line->need == NULL || line->need[micro] >= 0;
}

/* What is the same for all stages. */
struct course {
	double together;
	size_t slots;		/* from an end under a load to that under the next one */
};

/*
 * Let a stage go on until it must wait; true when it went at all. LANES is a constant wherever this is compiled: the
 * chains of the loads do not wait for one another.
 */
static inline __attribute__((always_inline)) bool
advance(struct stage *stage, const struct course *course, const int lanes)
{
	const struct op *op = stage->next;
	double clock[LANES], memory = stage->memory, peak = stage->peak;

	for (int k = 0; k < lanes; k++)
		clock[k] = stage->clock[k];
	for (; op < stage->last; op++) {
		const struct line *line = &stage->line[op->chunk * PHASES + op->phase];

		if (!ready(line, op->micro))
			break;
		__builtin_prefetch(op + 24);
		for (int k = 0; k < lanes; k++)
			__builtin_prefetch(line->end + op->micro + (size_t)k * course->slots + 12, 1);
		if (op->joined) {
			const struct line *other = &stage->line[op[1].chunk * PHASES + op[1].phase];

			if (!ready(other, op[1].micro))
				break;
			for (int k = 0; k < lanes; k++) {
				size_t on = (size_t)k * course->slots;

				clock[k] = begins(line, op->micro, k, course->slots, clock[k]);
				clock[k] = begins(other, op[1].micro, k, course->slots, clock[k]);
				clock[k] += course->together * (duration(&line->lane[k], op->micro) +
				    duration(&other->lane[k], op[1].micro));
				line->end[op->micro + on] = other->end[op[1].micro + on] = clock[k];
			}
			peak = larger(peak, memory + line->first + line->transient + other->transient);
			memory += line->change;
			peak = larger(peak, memory + other->first + line->transient + other->transient);
			memory += other->change;
			op++;
			continue;
		}
		for (int k = 0; k < lanes; k++) {
			clock[k] = begins(line, op->micro, k, course->slots, clock[k]) +
			    duration(&line->lane[k], op->micro);
			line->end[op->micro + (size_t)k * course->slots] = clock[k];
		}
		peak = larger(peak, memory + line->first + line->transient);
		memory += line->change;
	}
	if (op == stage->next)
		return false;
	stage->next = op;
	for (int k = 0; k < lanes; k++)
		stage->clock[k] = clock[k];
	stage->memory = memory;
	stage->peak = peak;
	return true;
}

static bool
advance_one(struct stage *stage, const struct course *course)
{
	return advance(stage, course, 1);
}

static bool
advance_two(struct stage *stage, const struct course *course)
{
	return advance(stage, course, 2);
}

static bool
advance_three(struct stage *stage, const struct course *course)
{
	return advance(stage, course, 3);
}

/*
 * Over the stages that may be able to go on, forth and back again as the data go: a stage then finds all there that its
 * neighbours can have run.
 */
static bool
run_stages(struct stage *stages, int n, struct course course, int lanes)
{
	static bool (*const ways[])(struct stage *, const struct course *) = {
		advance_one, advance_two, advance_three
	};
	bool (*go_on)(struct stage *, const struct course *) = ways[lanes - 1];
	bool done = true, forth = true;
	int queued = n;

	for (int i = 0; i < n; i++)
		stages[i].queued = true;
	for (; queued > 0; forth = !forth)
		for (int i = 0; i < n; i++) {
			struct stage *stage = &stages[forth ? i : n - 1 - i];

			if (!stage->queued)
				continue;
			stage->queued = false;
			queued--;
			if (!go_on(stage, &course))
				continue;
			for (int k = 0; k < 2; k++)
				if (stage->wake[k] >= 0 && !stages[stage->wake[k]].queued) {
					stages[stage->wake[k]].queued = true;
					queued++;
				}
		}
	for (int i = 0; i < n; i++)
		done &= stages[i].next == stages[i].last;
	return done;
}

/* Room for the ends under all loads, those of the first one marked as not there. */
static void
clear_ends(struct simulation *sim, size_t slots, size_t lanes)
{
	if (lanes * slots > sim->room) {
		free(sim->end);
		sim->end = xcalloc_large(lanes * slots, sizeof *sim->end);
		sim->room = lanes * slots;
	}
	for (size_t i = 0; i < slots; i++)
		sim->end[i] = -1;
}

bool
simulation_run_beside(struct simulation *sim, const struct schedule *s, const struct load *load,
    const struct load *beside, int n, double *step)
{
	struct course course = { .together = load->together, .slots = schedule_slots(s) };
	struct stage *stages;
	bool done;

	sim->schedule = s;
	sim->load = load;
	sim->ideal = sim->undelayed = 0;
	clear_ends(sim, course.slots, (size_t)n + 1);
	stages = stages_new(sim, beside, n);
	done = run_stages(stages, s->stages, course, n + 1);
	sim->step_time = 0;
	if (sim->peak.n != s->stages) {
		free(sim->peak.at);
		sim->peak = list_new(s->stages);
	}
	for (int i = 0; i < s->stages; i++) {
		sim->step_time = larger(sim->step_time, stages[i].clock[0]);
		sim->peak.at[i] = list_get(load->fixed, i) + stages[i].peak;
	}
	for (int k = 0; k < n; k++) {
		step[k] = 0;
		for (int i = 0; i < s->stages; i++)
			step[k] = larger(step[k], stages[i].clock[1 + k]);
	}
	free(stages[0].line);
	free(stages);
	if (!done)
		sim->step_time = -1;
	return done;
}

bool
simulation_run(struct simulation *sim, const struct schedule *s, const struct load *load)
{
	return load->blocking && load_delayed(load) ? simulation_run_blocking(sim, s, load)
	    : simulation_run_beside(sim, s, load, NULL, 0, NULL);
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
