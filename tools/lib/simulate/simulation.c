/* Times and memory of operations, and results of a run. */
#include "simulation.h"

#include <math.h>
#include <stdlib.h>

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
	/* Starting hidden transfers keeps the stage busy. The other modes are in simulation_transfers.c. */
	if (sim->load->transfers == TRANSFERS_HIDDEN && sim->load->post > 0) {
		duration += sim->load->post * schedule_posts(sim->schedule, stage, *op);
		if (op->joined != 0)
			duration += sim->load->post * schedule_posts(sim->schedule, stage, *other);
	}
	start = sim->end[schedule_slot(sim->schedule, stage, *op)] - duration;
	return start > 0 ? start : 0;	/* rounding must not give -1e-16 */
}

double
simulation_whole(const struct simulation *sim)
{
	const struct schedule *s = sim->schedule;

	return overhead_step(sim->load->overhead, sim->load->early, s->stages, sim->last.at);
}

double
simulation_step(const struct schedule *s, const struct load *load)
{
	struct simulation sim = { 0 };
	double step = simulation_run(&sim, s, load) ? simulation_whole(&sim) : INFINITY;

	simulation_free(&sim);
	return step;
}

size_t
simulation_bytes(const struct simulation *sim)
{
	return sim->room * sizeof *sim->end + sim->ring_room * sizeof *sim->ring +
	    (sim->cause != NULL ? schedule_ops(sim->schedule) * sizeof *sim->cause : 0);
}

void
simulation_free(struct simulation *sim)
{
	free(sim->end);
	free(sim->cause);
	free(sim->ring);
	free(sim->peak.at);
	free(sim->last.at);
	idle_free(&sim->idle);
	*sim = (struct simulation){ 0 };
}
