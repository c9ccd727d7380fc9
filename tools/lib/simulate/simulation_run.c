/* Run a simulation in one pass over the operations, in an order that respects all dependencies. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "simulation.h"
#include "simulation_stage.h"
#include "simulation_transfers.h"

static struct lane
lane_of(const struct load *l, const struct schedule *s, int stage, struct op op, struct need need)
{
	return (struct lane){
		.delay = need.stage < 0 ? 0 : load_arrival(l, need.stage, stage, op),
		.post = l->post > 0 ? l->post * schedule_posts(s, stage, op) : 0,
		.duration = simulation_mean_duration(l, stage, op),
		.factor = load_factors(l, stage, op),
	};
}

/* Return the number of cells in a ring. Padding keeps rings from starting in the same part of the cache. */
static size_t
ring_room(const struct course *c)
{
	enum { LINE = 8 };

	return (c->mask + 1) * (size_t)(c->lanes + 1) + LINE;
}

/* Return the ring for the ends of an operation: one for forwards, one for both kinds of backward. */
static double *
ring_of(const struct simulation *sim, const struct course *c, int stage, struct op op)
{
	size_t ring = 2 * ((size_t)stage * (size_t)sim->schedule->chunks + op.chunk) + (op.phase != PHASE_F);

	return sim->ring + ring * ring_room(c);
}

static struct stage_line
line_of(const struct simulation *sim, const struct course *c, int stage, struct op op, struct need need,
    const struct load *const *loads)
{
	double change = simulation_memory(loads[0], stage, op);
	struct stage_line line = {
		.first = op.phase == PHASE_F ? change : 0,
		.change = change,
		.transient = load_transient(loads[0], op.chunk, stage),
	};

	if (c->told) {
		line.end = op.phase == PHASE_W ? NULL : ring_of(sim, c, stage, op);
		line.need = need.stage < 0 ? NULL : ring_of(sim, c, need.stage, need.op);
	} else {
		line.end = sim->end + schedule_slot(sim->schedule, stage, op);
		line.need = need.stage < 0 ? NULL : sim->end + schedule_slot(sim->schedule, need.stage, need.op);
	}
	for (int k = 0; k < c->lanes; k++)
		line.lane[k] = lane_of(loads[k], sim->schedule, stage, op, need);
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
	/* In every schedule data go to at most two neighbours. */
	abort();
}

/* Return the first operation of the K-th phase in the member line of struct stage. */
static struct op
line_op(int k)
{
	return (struct op){ .chunk = (uint16_t)(k / PHASES), .phase = (uint8_t)(k % PHASES) };
}

static struct stage *
stages_new(const struct simulation *sim, const struct course *c, const struct load *const *loads)
{
	const struct schedule *s = sim->schedule;
	int lines = s->chunks * PHASES;
	struct stage *stages = xcalloc((size_t)s->stages, sizeof *stages);
	struct stage_line *line = xcalloc((size_t)s->stages * (size_t)lines, sizeof *line);

	for (int i = 0; i < s->stages; i++)
		stages[i] = (struct stage){
			.first = s->op + s->first[i],
			.next = s->op + s->first[i],
			.last = s->op + s->first[i + 1],
			.line = line + (size_t)i * (size_t)lines,
			.wake = { -1, -1 },
			.cause = c->told ? sim->cause + s->first[i] : NULL,
		};
	for (int i = 0; i < s->stages; i++)
		for (int k = 0; k < lines; k++) {
			struct op op = line_op(k);
			struct need need;

			if (!schedule_occurs(s, op))
				continue;
			need = schedule_need(s, i, op);
			stages[i].line[k] = line_of(sim, c, i, op, need, loads);
			if (need.stage >= 0 && need.stage != i)
				wake_too(&stages[need.stage], i);
		}
	return stages;
}

/*
 * Run all stages that can advance, in order and then in reverse order, as the data travel. Thus each stage first gets
 * all data that its neighbours can compute. Return whether all operations ran.
 */
static bool
run_stages(struct stage *stages, int n, const struct course *course)
{
	advance_function *go_on = stage_advance(course);
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
			if (!go_on(stage, course))
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

/* Return the maximum number of forwards that the last piece runs before its first backward. */
static size_t
most_waiting(const struct schedule *s)
{
	size_t most = 0;

	for (int piece = 0; piece < s->chunks * s->stages; piece++) {
		const struct op *op = s->op + s->first[piece % s->stages];
		const struct op *last = s->op + s->first[piece % s->stages + 1];
		size_t n = 0;

		for (; s->after[piece] < 0 && op < last && op->phase == PHASE_F; op++)
			n += op->chunk == piece / s->stages;
		most = n > most ? n : most;
	}
	return most;
}

/* Create empty rings, each of at least UNITS units. */
static void
make_rings(struct simulation *sim, struct course *c, size_t units)
{
	size_t rings = 2 * (size_t)sim->schedule->stages * (size_t)sim->schedule->chunks, room, step;

	for (c->mask = 7; c->mask + 1 < units; c->mask = 2 * c->mask + 1)
		continue;
	room = rings * ring_room(c);
	if (room > sim->ring_room) {
		free(sim->ring);
		sim->ring = xcalloc(room, sizeof *sim->ring);
		sim->ring_room = room;
	}
	step = (size_t)c->lanes + 1;
	for (size_t i = 0; i < rings; i++)
		for (size_t k = 0; k <= c->mask; k++)
			sim->ring[i * ring_room(c) + k * step + step - 1] = -1;
}

/* Collect the results of the stages, and the steps under the further loads in STEP. */
static void
take(struct simulation *sim, const struct stage *stages, const struct course *c, double *step)
{
	int n = sim->schedule->stages;

	if (sim->peak.n != n) {
		free(sim->peak.at);
		free(sim->last.at);
		sim->peak = list_new(n);
		sim->last = list_new(n);
	}
	sim->step_time = 0;
	for (int k = 1; k < c->lanes; k++)
		step[k - 1] = 0;
	for (int i = 0; i < n; i++) {
		sim->step_time = fmax(sim->step_time, stages[i].clock[0]);
		for (int k = 1; k < c->lanes; k++)
			step[k - 1] = fmax(step[k - 1], stages[i].clock[k]);
		sim->peak.at[i] = list_get(sim->load->fixed, i) + stages[i].peak;
		sim->last.at[i] = stages[i].clock[0];
	}
}

static void
take_waiting(struct simulation *sim, const struct stage *stages)
{
	int n = sim->schedule->stages;

	idle_free(&sim->idle);
	sim->idle = idle_new(n);
	for (int i = 0; i < n; i++) {
		sim->idle.fill.at[i] = stages[i].fill;
		sim->idle.forward.at[i] = stages[i].waiting.forward;
		sim->idle.backward.at[i] = stages[i].waiting.backward;
		sim->idle.comm.at[i] = stages[i].waiting.comm;
		sim->idle.drain.at[i] = sim->step_time - sim->last.at[i];
	}
}

static bool
run(struct simulation *sim, const struct course *c, const struct load *const *loads, double *step)
{
	struct stage *stages = stages_new(sim, c, loads);
	bool done = run_stages(stages, sim->schedule->stages, c);

	take(sim, stages, c, step);
	if (done)
		sim->simulated += c->lanes * (double)schedule_ops(sim->schedule);
	else
		sim->step_time = -1;
	if (c->told)
		take_waiting(sim, stages);
	free(stages[0].line);
	free(stages);
	return done;
}

static void
forget(struct simulation *sim, const struct schedule *s, const struct load *load)
{
	sim->schedule = s;
	sim->load = load;
	sim->ideal = sim->undelayed = 0;
	idle_free(&sim->idle);
}

static bool
run_kept(struct simulation *sim, const struct schedule *s, const struct load *load)
{
	struct course c = { .together = load->together, .lanes = 1 };
	size_t slots = schedule_slots(s);

	forget(sim, s, load);
	free(sim->cause);
	sim->cause = NULL;
	if (slots > sim->room) {
		free(sim->end);
		sim->end = xcalloc(slots, sizeof *sim->end);
		sim->room = slots;
	}
	for (size_t i = 0; i < slots; i++)
		sim->end[i] = -1;
	return run(sim, &c, &load, NULL);
}

bool
simulation_run_told(struct simulation *sim, const struct schedule *s, const struct load *load,
    const struct load *beside, int n, double *step)
{
	enum { AHEAD = 32 };	/* usual maximum number of micro-batches between an operation and its dependents */
	struct course c = { .together = load->together, .lanes = 1 + n, .told = true };
	const struct load *loads[LANES] = { load };
	size_t units = (size_t)s->micro, few = most_waiting(s);

	for (int i = 0; i < n; i++)
		loads[1 + i] = &beside[i];
	forget(sim, s, load);
	free(sim->end);
	free(sim->cause);
	sim->end = NULL;
	sim->room = 0;
	sim->cause = xcalloc(schedule_ops(s), sizeof *sim->cause);
	few = few > AHEAD ? few : AHEAD;
	for (bool all = false; !all; few *= 2) {
		all = few >= units;
		make_rings(sim, &c, all ? units : few);
		if (run(sim, &c, loads, step))
			return true;
	}
	/* To find a cycle, all ends must be stored. */
	return run_kept(sim, s, load);
}

bool
simulation_run(struct simulation *sim, const struct schedule *s, const struct load *load)
{
	return load->transfers != TRANSFERS_HIDDEN && load_delayed(load) ? simulation_run_transfers(sim, s, load)
	    : run_kept(sim, s, load);
}
