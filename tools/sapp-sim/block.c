#include "block.h"

void
blocks_each(const struct run *r, void (*each)(const struct block *, void *), void *with)
{
	struct schedule s;
	struct simulation sim;
	bool transient = table_any(r->load.transient);
	bool mirrored = schedule_mirrored(r->shape.kind);	/* micro-batches of the other end count on */

	if (run_open(r, &s, &sim))
		for (int stage = 0; stage < s.stages; stage++) {
			double memory = list_get(r->load.fixed, stage);

			for (size_t i = s.first[stage]; i < s.first[stage + 1]; i++) {
				struct op op = s.op[i];

				struct block b;
				double held = simulation_held(&r->load, stage, &s.op[i], memory);

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
blocks_put(FILE *out, const struct run *r)
{
	blocks_each(r, put, out);
}
