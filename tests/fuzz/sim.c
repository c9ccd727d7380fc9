/* Fuzz the uses of several records together: the model, plans checked against it, naive plans, and their steps. */
#include "fuzz.h"
#include "sapp-sim/run.h"
#include "stream.h"

enum { OPS = 20000, MOST = 64 };

static struct reader in;
static struct record record[MOST];

/* Return whether a record needs at most OPS operations. */
static bool
small(const struct record *r)
{
	double splits = 1, micro = 0, pieces = 1;

	switch (r->kind) {
	case RECORD_PIPELINE:
		splits = r->pipeline.seq_split > 1 ? r->pipeline.seq_split : 1;
		micro = r->pipeline.micro_batches;
		pieces = (double)r->pipeline.stages * r->pipeline.interleave;
		break;
	case RECORD_PLAN:
		micro = r->plan.micro_batches;
		pieces = (double)r->plan.offset.stages * r->plan.interleave;
		break;
	case RECORD_CHUNKS:
		splits = r->chunks.seq_split > 1 ? r->chunks.seq_split : 1;
		micro = r->chunks.micro_batches;
		pieces = (double)r->chunks.forward.stages * r->chunks.forward.chunks;
		break;
	default:
		break;
	}
	return micro * splits <= 100 && pieces <= OPS / 100 && splits <= 10;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (FUZZ_BEGIN()) {
		struct records all = { .at = record, .source = "fuzz" };
		struct sim_options options = { .naive = true, .transfers = (int)(size % 3) - 1, .tokens = 8 };
		bool worth = true;

		in = stream_open(data, size);
		while (all.n < MOST && reader_next(&in, &record[all.n]))
			worth &= small(&record[all.n++]);
		reader_close(&in);
		if (worth) {
			struct sim_runs runs = sim_runs_find(&all, &options);

			runs_simulate(&runs, &options);
			for (int i = 0; i < runs.n; i++)
				if (runs.result[i].name != NULL && !(runs.result[i].step_time >= 0))
					abort();
			sim_runs_free(&runs);
		}
	}
	stream_abandon(&in);
	fuzz_end();
	return 0;
}
