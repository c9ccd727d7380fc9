#include "block.h"

#include <math.h>

/*
 * Return the fraction of an operation that is recomputation before gradients, from load.plain; 0 unless it is a
 * backward.
 */
static double
recomputed(const struct load *l, int stage, struct op op)
{
	double all = simulation_mean_duration(l, stage, op);
	double again = table_get(l->backward, op.chunk, stage) - table_get(l->plain, op.chunk, stage);

	return (op.phase == PHASE_B || op.phase == PHASE_I) && again > 1e-9 * all ? fmin(1, again / all) : 0;
}

void
blocks_each(const struct sim_run *r, void (*each)(const struct block *, void *), void *with)
{
	struct schedule s;
	struct simulation sim;
	bool transient = table_any(r->load.transient);
	/* the numbers of micro-batches from the other end follow those from this end */
	bool mirrored = schedule_mirrored(r->shape.kind);

	if (run_open(r, &s, &sim))
		for (int stage = 0; stage < s.stages; stage++) {
			double memory = list_get(r->load.fixed, stage);

			for (size_t i = s.first[stage]; i < s.first[stage + 1]; i++) {
				struct op op = s.op[i];
				struct block b;
				double again, held = simulation_held(&r->load, stage, &s.op[i], memory);

				memory += simulation_memory(&r->load, stage, op);
				b = (struct block){
					.plan = (char *)r->name,
					.stage = stage,
					.chunk = op.chunk,
					.micro = (int)op.micro + (mirrored && op.chunk == 1 ? s.micro : 0),
					.phase = op.phase,
					.start = simulation_start(&sim, stage, i),
					.end = sim.end[schedule_slot(&s, stage, op)],
					.memory = memory,
				};
				if (transient)
					GIVE(block, &b, peak, held);
				again = recomputed(&r->load, stage, op) * (b.end - b.start);
				if (again > 0)
					GIVE(block, &b, recompute, again);
				each(&b, with);
			}
		}
	simulation_free(&sim);
	schedule_free(&s);
}

static void
put(const struct block *b, void *out)
{
	record_put(out, RECORD_BLOCK, b);
}

void
blocks_put(FILE *out, const struct sim_run *r)
{
	blocks_each(r, put, out);
}
