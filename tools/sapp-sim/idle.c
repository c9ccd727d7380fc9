#include "idle.h"

#include "lib/simulate/waiting.h"

/* Times at which the data of an operation were ready to be sent, and arrived; both 0: it needs no data. */
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

/* Add the wait from FREE_AT to START, before the I-th operation, to the causes of waiting. */
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

/* Compute idle times from the end times of all operations. */
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
