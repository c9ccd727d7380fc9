/* Where the time of a step goes: the critical path and the bubble. Also the cycles of orders that cannot run. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/schedule/scheme.h"
#include "simulation.h"

/* Return the operation that ends last. */
static const struct op *
last_op(const struct simulation *sim, int *stage)
{
	const struct schedule *s = sim->schedule;

	for (*stage = 0; *stage < s->stages; ++*stage) {
		if (sim->last.at[*stage] == sim->step_time)
			return s->op + s->first[*stage + 1] - 1;
	}
	abort();
}

static bool
same_op(struct op a, struct op b)
{
	return a.micro == b.micro && a.chunk == b.chunk && (a.phase == PHASE_I ? PHASE_B : a.phase) ==
	    (b.phase == PHASE_I ? PHASE_B : b.phase);
}

/* A dependency of an operation, and its data. */
struct wanted_path {
	struct need need;	/* stage is -1: it depends on nothing */
	double delay;		/* ms of the transfer */
	double needed;		/* ms at which the data arrive; needs stored ends */
};

static struct wanted_path
wanted(const struct simulation *sim, int stage, struct op op)
{
	struct wanted_path w = { .need = schedule_need(sim->schedule, stage, op) };

	if (w.need.stage >= 0) {
		w.delay = load_arrival(sim->load, w.need.stage, stage, op);
		if (sim->end != NULL)
			w.needed = sim->end[schedule_slot(sim->schedule, w.need.stage, w.need.op)] + w.delay;
	}
	return w;
}

/* Return whether OTHER's data arrive later than OWN's. OP overlaps the operation that needs OTHER. */
static bool
other_later(const struct simulation *sim, const struct op *op, const struct wanted_path *own,
    const struct wanted_path *other)
{
	const struct op *first = op->joined == 2 ? op - 1 : op;

	if (sim->cause == NULL)
		return other->needed > own->needed;
	return sim->cause[first - sim->schedule->op] & (op == first ? CAUSE_SECOND : CAUSE_FIRST);
}

/*
 * Return whether an operation began when the previous operation of its stage ended. Return false for a stage's first
 * operation.
 */
static bool
follows(const struct simulation *sim, int stage, const struct op *op, const struct wanted_path *w)
{
	if (sim->cause == NULL)
		return sim->end[schedule_slot(sim->schedule, stage, op[-1])] >= w->needed;
	return !(sim->cause[op - sim->schedule->op] & CAUSE_DATA);
}

/* Add the time of an operation, or its part of the time of two overlapping ones. */
static void
spend(struct path *path, const struct simulation *sim, int stage, struct op op)
{
	double time = simulation_duration(sim->load, stage, op);

	path->time[op.phase].at[op.chunk * sim->schedule->stages + stage] +=
	    op.joined ? sim->load->together * time : time;
}

static double
path_work(const struct path *path)
{
	double sum = 0;

	for (int p = 0; p < PHASES; p++)
		for (int i = 0; i < path->time[p].chunks * path->time[p].stages; i++)
			sum += path->time[p].at[i];
	return sum;
}

struct path
simulation_path(const struct simulation *sim)
{
	const struct schedule *s = sim->schedule;
	/* The path goes back in time, so one search from the end of each stage is enough. */
	const struct op **cursor = xcalloc((size_t)s->stages, sizeof *cursor), *op;
	struct path path = { .delay = 0 };
	int stage;

	for (int p = 0; p < PHASES; p++)
		path.time[p] = table_new(s->chunks, s->stages);
	for (int i = 0; i < s->stages; i++)
		cursor[i] = s->op + s->first[i + 1] - 1;
	op = last_op(sim, &stage);
	for (;;) {
		struct wanted_path why = wanted(sim, stage, *op);
		bool first;

		spend(&path, sim, stage, *op);
		if (op->joined != 0) {
			const struct op *other = op->joined == 2 ? op - 1 : op + 1;
			struct wanted_path too = wanted(sim, stage, *other);

			spend(&path, sim, stage, *other);
			if (why.need.stage < 0 || other_later(sim, op, &why, &too))
				why = too;
			if (op->joined == 2)
				op--;
		}
		first = op == s->op + s->first[stage];
		if (why.need.stage < 0 && first)
			break;
		if (why.need.stage < 0 || (!first && follows(sim, stage, op, &why))) {
			op--;
			continue;
		}
		path.delay += why.delay;
		cursor[stage] = op;
		stage = why.need.stage;
		for (op = cursor[stage]; !same_op(*op, why.need.op); op--)
			continue;
	}
	free(cursor);
	/* With transfers that keep stages busy, the rest of the step is time of transfers. */
	if (sim->load->transfers != TRANSFERS_HIDDEN || sim->load->post > 0)
		path.delay = sim->step_time - path_work(&path);
	return path;
}

void
path_free(struct path *path)
{
	for (int p = 0; p < PHASES; p++)
		free(path->time[p].at);
	*path = (struct path){ 0 };
}

/* Return the ms of the step of the same order under another load. */
static double
step_under(const struct schedule *s, const struct load *load)
{
	struct simulation sim = { 0 };
	double time;

	simulation_run(&sim, s, load);
	time = sim.step_time;
	simulation_free(&sim);
	return time;
}

/* Return the ms of the step that transfers cause. */
static double
delayed(const struct simulation *sim)
{
	struct load still = load_undelayed(sim->load);

	return sim->step_time - (sim->undelayed > 0 ? sim->undelayed : step_under(sim->schedule, &still));
}

static struct table
even(struct table t)
{
	struct table e = table_new(t.chunks, t.stages);
	int n = t.chunks * t.stages;
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += t.at[i];
	for (int i = 0; i < n; i++)
		e.at[i] = sum / n;
	return e;
}

/* Return a load with equal pieces, no recomputation and no transfer times. */
static struct load
even_load(const struct load *load)
{
	struct load equal = load_undelayed(load);

	equal.forward = even(load->forward);
	equal.backward = even(load->plain);
	equal.weight = even(load->weight);
	equal.factor[0] = equal.factor[1] = (struct table){ 0 };
	return equal;
}

static void
even_free(struct load *equal)
{
	free(equal->forward.at);
	free(equal->backward.at);
	free(equal->weight.at);
}

static double
ideal_step(const struct simulation *sim)
{
	struct load equal = even_load(sim->load);
	double time = step_under(sim->schedule, &equal);

	even_free(&equal);
	return time;
}

bool
simulation_run_compared(struct simulation *sim, const struct schedule *s, const struct load *load)
{
	bool delayed = load_delayed(load), textbook = schedule_scheme(s->shape.kind)->textbook, done;
	struct load beside[SIMULATION_BESIDE];
	double step[SIMULATION_BESIDE];
	int n = 0;

	if (load->transfers != TRANSFERS_HIDDEN && delayed)
		return simulation_run(sim, s, load);
	if (!textbook)
		beside[n++] = even_load(load);
	if (delayed)
		beside[n++] = load_undelayed(load);
	done = simulation_run_told(sim, s, load, beside, n, step);
	if (delayed)
		sim->undelayed = step[--n];
	if (!textbook) {
		sim->ideal = step[0];
		even_free(&beside[0]);
	}
	return done;
}

/*
 * Return the communication part of the bubble, as SAPP defines it for blocking transfers. It is the number of transfers
 * on the critical path of an even pipeline, times the number of stages. P: stages, V: chunks, M: micro-batches. With
 * several chunks on an odd number of stages, 5 or more, SAPP's formulas may differ from such a pipeline; see sapp(7).
 */
static double
blocking_transfers(double p, double v, double m)
{
	bool even = fmod(p, 2) == 0;

	if (p < 2)
		return 0;
	if (v == 1)
		return p == 2 ? 4 * m : 4 * p * m + 4 * p * p - (even ? 14 : 12) * p;
	switch ((int)p) {
	case 2:
		return 4 * p * v * m - 2 * m * p;
	case 3:
		return 6 * p * v * m - 2 * m * p - 6;
	case 5:
		return 6 * p * v * m - 2 * m * p + 40;
	default:
		return even ? 4 * p * v * m + 4 * p * p - 13 * p
		    : 6 * p * v * m - 2 * v * p * p + 4 * v * p - 2 * p * m + 6 * p * p - 16 * p;
	}
}

/* Return the ms, summed over all stages, that transfers cause. */
static double
delay_cost(const struct simulation *sim)
{
	const struct schedule *s = sim->schedule;
	const struct scheme *scheme = schedule_scheme(s->shape.kind);

	if (sim->load->transfers == TRANSFERS_BLOCKING && sim->load->edge.n == 0 && scheme->textbook && scheme->in_turn)
		return sim->load->comm * blocking_transfers(s->stages, s->chunks, s->micro);
	return s->stages * delayed(sim);
}

/* Return the sum of the times of a piece's micro-batches / the mean time of a micro-batch. */
static double
units(const struct simulation *sim, int piece, enum phase phase)
{
	int stages = sim->schedule->stages, micro = sim->schedule->micro;
	struct op op = { .chunk = (uint16_t)(piece / stages), .phase = (uint8_t)phase };
	const double *factor = load_factors(sim->load, piece % stages, op);
	double sum = 0;

	for (int m = 0; factor != NULL && m < micro; m++)
		sum += factor[m];
	return factor != NULL ? sum : micro;
}

struct bubble
simulation_bubble(const struct simulation *sim)
{
	const struct schedule *s = sim->schedule;
	const struct load *l = sim->load;
	struct bubble b = { .given = 0 };
	double model = 0, hardware = 0, stages = s->stages, micro = s->micro;

	for (int i = 0; i < s->chunks * s->stages; i++) {
		double forwards = units(sim, i, PHASE_F), backwards = units(sim, i, PHASE_B);

		model += forwards * l->forward.at[i] + backwards * l->plain.at[i];
		hardware += forwards * l->forward.at[i] + backwards * l->backward.at[i];
	}
	if (model <= 0)
		return b;
	b.real = (stages * sim->step_time - model) / model;
	b.ideal = schedule_scheme(s->shape.kind)->textbook ? (stages - 1) / (s->chunks * micro)
	    : (stages * (sim->ideal > 0 ? sim->ideal : ideal_step(sim)) - model) / model;
	b.imba = b.real - b.ideal;
	if (hardware > model) {
		GIVE(bubble, &b, recompute, hardware / model - 1);
		b.imba -= b.recompute;
	}
	if (load_delayed(l)) {
		GIVE(bubble, &b, comm, delay_cost(sim) / model);
		b.imba -= b.comm;
	}
	return b;
}

static char *
name_op(const struct schedule *s, int stage, struct op op)
{
	return s->chunks == 1 ? xasprintf("%s%u on stage %d", phase_names[op.phase], op.micro, stage)
	    : xasprintf("%s%u of chunk %u on stage %d", phase_names[op.phase], op.micro, op.chunk, stage);
}

/*
 * Return the first operation of a stage that never ran. Of two overlapping operations, return one whose input never
 * ran.
 */
static struct op
stuck_op(const struct simulation *sim, int stage)
{
	const struct schedule *s = sim->schedule;
	const struct op *op = s->op + s->first[stage];
	struct need need;

	while (sim->end[schedule_slot(s, stage, *op)] >= 0)
		op++;
	need = schedule_need(s, stage, *op);
	if (op->joined == 1 && (need.stage < 0 || sim->end[schedule_slot(s, need.stage, need.op)] >= 0))
		op++;
	return *op;
}

char *
simulation_cycle(const struct simulation *sim)
{
	const struct schedule *s = sim->schedule;
	bool *seen = xcalloc((size_t)s->stages, sizeof *seen);
	char *text = xstrdup(""), *longer, *a, *b;
	int stage = 0, from;

	while (stage < s->stages && sim->end[schedule_slot(s, stage, s->op[s->first[stage + 1] - 1])] >= 0)
		stage++;
	if (stage == s->stages) {
		free(seen);
		free(text);
		return xstrdup("transfers that keep both stages busy wait for each other");
	}
	/* Each stuck stage waits for another stuck stage. Following these reaches one stage twice. */
	for (; !seen[stage]; stage = schedule_need(s, stage, stuck_op(sim, stage)).stage)
		seen[stage] = true;
	from = stage;
	do {
		struct op op = stuck_op(sim, stage);
		struct need need = schedule_need(s, stage, op);

		a = name_op(s, stage, op);
		b = name_op(s, need.stage, need.op);
		longer = xasprintf("%s%s%s waits for %s", text, *text ? ", " : "", a, b);
		if (!same_op(need.op, stuck_op(sim, need.stage))) {
			free(text);
			free(b);
			text = longer;
			b = name_op(s, need.stage, stuck_op(sim, need.stage));
			longer = xasprintf("%s, which comes after %s", text, b);
		}
		free(text);
		free(a);
		free(b);
		text = longer;
		stage = need.stage;
	} while (stage != from);
	free(seen);
	return text;
}
