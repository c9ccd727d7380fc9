/* Why stages wait, and what it would bring to relieve them. */
#include "idle.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

/* Operations of one phase of one piece: their ends, and those of what they wait for. */
struct line {
	const double *end;
	const double *need;		/* NULL: they wait for none */
	double delay, duration;
	const double *factor;		/* of the duration, by unit; NULL: all 1 */
};

/* When data for an operation were ready to leave, and when they arrived; both 0: it needs none. */
struct supply {
	double ready, arrived;
};

static struct line
line_of(const struct simulation *sim, int stage, struct op op)
{
	struct need need = schedule_need(sim->schedule, stage, op);
	struct line line = {
		.end = sim->end + schedule_slot(sim->schedule, stage, op),
		.duration = simulation_mean_duration(sim->load, stage, op),
		.factor = load_factors(sim->load, stage, op),
	};

	if (need.stage >= 0) {
		line.need = sim->end + schedule_slot(sim->schedule, need.stage, need.op);
		line.delay = load_delay(sim->load, need.stage, stage);
	}
	return line;
}

static const struct line *
line_at(const struct line *lines, struct op op)
{
	return &lines[op.chunk * PHASES + op.phase];
}

static struct supply
supply(const struct line *line, uint32_t micro)
{
	if (line->need == NULL)
		return (struct supply){ 0, 0 };
	return (struct supply){ line->need[micro], line->need[micro] + line->delay };
}

static double
duration(const struct line *line, uint32_t micro)
{
	return (line->factor == NULL ? 1 : line->factor[micro]) * line->duration;
}

/* As simulation_start(). */
static double
start_of(const struct line *lines, const struct op *op, double together)
{
	const struct line *line = line_at(lines, *op);
	double time = duration(line, op->micro), start;

	if (op->joined != 0) {
		const struct op *other = op->joined == 2 ? op - 1 : op + 1;

		time = together * (time + duration(line_at(lines, *other), other->micro));
	}
	start = line->end[op->micro] - time;
	return start > 0 ? start : 0;
}

static double
positive(double x)
{
	return x > 0 ? x : 0;
}

/* The wait between FREE_AT and START before an operation. */
static void
wait(struct idle *idle, const struct line *lines, int stage, const struct op *op, double free_at, double start)
{
	struct supply s = supply(line_at(lines, *op), op->micro);
	double travel;

	if (op->joined == 1) {
		struct supply other = supply(line_at(lines, op[1]), op[1].micro);

		if (other.arrived > s.arrived) {
			s = other;
			op++;
		}
	}
	travel = positive(start - free_at < start - s.ready ? start - free_at : start - s.ready);
	idle->comm.at[stage] += travel;
	(op->phase == PHASE_F ? idle->forward : idle->backward).at[stage] += positive(start - free_at - travel);
}

struct idle
idle_of(const struct simulation *sim)
{
	const struct schedule *s = sim->schedule;
	struct line *lines = xcalloc((size_t)s->chunks * PHASES, sizeof *lines);
	struct idle idle = {
		.fill = list_new(s->stages),
		.forward = list_new(s->stages),
		.backward = list_new(s->stages),
		.comm = list_new(s->stages),
		.drain = list_new(s->stages),
	};

	for (int stage = 0; stage < s->stages; stage++) {
		const struct op *first = s->op + s->first[stage], *last = s->op + s->first[stage + 1];
		double clock = 0;

		for (int k = 0; k < s->chunks * PHASES; k++) {
			struct op op = { .chunk = (uint16_t)(k / PHASES), .phase = (uint8_t)(k % PHASES) };

			if (schedule_occurs(s, op))
				lines[k] = line_of(sim, stage, op);
		}
		for (const struct op *op = first; op < last; op++) {
			double start = start_of(lines, op, sim->load->together);

			if (op == first)
				idle.fill.at[stage] = start;
			else if (start > clock && op->joined != 2)
				wait(&idle, lines, stage, op, clock, start);
			clock = line_at(lines, *op)->end[op->micro];
		}
		idle.drain.at[stage] = sim->step_time - clock;
	}
	free(lines);
	return idle;
}

/* The work of a stage on a micro-batch. */
static double
work(const struct load *l, int stage)
{
	double sum = 0;

	for (int v = 0; v < l->chunks; v++)
		sum += table_get(l->forward, v, stage) + table_get(l->backward, v, stage);
	return sum;
}

static void
scale(struct load *l, int stage, double by)
{
	for (int v = 0; v < l->chunks; v++) {
		size_t i = (size_t)v * (size_t)l->stages + (size_t)stage;

		l->forward.at[i] *= by;
		l->backward.at[i] *= by;
		l->weight.at[i] *= by;
	}
}

struct list
slopes_of(const struct simulation *sim)
{
	static const double LITTLE = 1e-6;	/* so little that no other chain becomes the longest */
	struct load l = *sim->load;
	struct simulation less = { 0 };
	struct list slope = list_new(l.stages);

	l.forward = table_copy(sim->load->forward);
	l.backward = table_copy(sim->load->backward);
	l.weight = table_copy(sim->load->weight);
	for (int s = 0; s < l.stages; s++) {
		double all = work(&l, s);

		if (all <= 0)
			continue;
		scale(&l, s, 1 - LITTLE);
		simulation_run(&less, sim->schedule, &l);
		slope.at[s] = round((sim->step_time - less.step_time) / (LITTLE * all) * 1e5) / 1e5;
		for (int v = 0; v < l.chunks; v++) {
			size_t i = (size_t)v * (size_t)l.stages + (size_t)s;

			l.forward.at[i] = sim->load->forward.at[i];
			l.backward.at[i] = sim->load->backward.at[i];
			l.weight.at[i] = sim->load->weight.at[i];
		}
	}
	simulation_free(&less);
	free(l.forward.at);
	free(l.backward.at);
	free(l.weight.at);
	return slope;
}
