#include "idle.h"

#include <math.h>
#include <stdlib.h>

#include "lib/simulate/waiting.h"

/* When data of an operation were ready to send, and when they arrived; both 0: no data needed. */
struct supply {
	double ready, arrived;
};

static struct supply
supply(const struct simulation *sim, int stage, struct op op)
{
	struct need need = schedule_need(sim->schedule, stage, op);
	struct supply s = { 0, 0 };

	if (need.stage >= 0) {
		s.ready = sim->end[schedule_slot(sim->schedule, need.stage, need.op)];
		s.arrived = s.ready + load_arrival(sim->load, need.stage, stage, op);
	}
	return s;
}

/* Attribute the wait between FREE and START before the I-th operation. */
static void
wait(struct waiting *w, const struct simulation *sim, int stage, size_t i, double free_at, double start)
{
	struct op op = sim->schedule->op[i];
	struct supply s = supply(sim, stage, op);

	if (op.joined == 1) {
		struct supply other = supply(sim, stage, sim->schedule->op[i + 1]);

		if (other.arrived > s.arrived) {
			s = other;
			op = sim->schedule->op[i + 1];
		}
	}
	waiting_add(w, (enum phase)op.phase, free_at, start, s.ready);
}

/* From the end times of all operations. */
static struct idle
idle_by_ends(const struct simulation *sim)
{
	const struct schedule *s = sim->schedule;
	struct idle idle = idle_new(s->stages);

	for (int stage = 0; stage < s->stages; stage++) {
		struct waiting w = { 0 };
		double clock = 0;

		for (size_t i = s->first[stage]; i < s->first[stage + 1]; i++) {
			double start = simulation_start(sim, stage, i);

			if (i == s->first[stage])
				idle.fill.at[stage] = start;
			else if (s->op[i].joined != 2 && start > clock)
				wait(&w, sim, stage, i, clock, start);
			clock = sim->end[schedule_slot(s, stage, s->op[i])];
		}
		idle.forward.at[stage] = w.forward;
		idle.backward.at[stage] = w.backward;
		idle.comm.at[stage] = w.comm;
		idle.drain.at[stage] = sim->step_time - clock;
	}
	return idle;
}

struct idle
idle_of(const struct simulation *sim)
{
	return sim->idle.fill.n > 0 ? idle_copy(&sim->idle) : idle_by_ends(sim);
}

/* Return a stage's work per micro-batch. */
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
	static const double LITTLE = 1e-6;	/* small enough not to change the critical path */
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
