/*
 * Fuzz target: any bytes as a table of memory (of the process, of operators, of modules) end in peaks or in a message.
 */
#include "fuzz.h"
#include "lib/measure/peaktable.h"
#include "sapp-trace/run/memory.h"
#include "sapp-trace/run/observe.h"

static void
read_rows(const uint8_t *data, size_t n, int kind)
{
	struct place at = { .source = "<memory>" };
	double allocated, reserved;
	static char buffer[BUFSIZ];	/* not one that stdio allocates and fuzz_end() frees */
	/* It is in a list of open files: it must be closed, not just freed. */
	FILE *volatile f = fmemopen((void *)data, n, "r");

	if (f == NULL || setvbuf(f, buffer, _IOFBF, sizeof buffer) != 0)
		abort();
	if (FUZZ_BEGIN())
		peaktable_rows(f, kind, at, &allocated, &reserved);
	fuzz_end();
	fclose(f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	for (int kind = 0; n > 0 && kind < 3; kind++)
		read_rows(data, n, kind);
	if (FUZZ_BEGIN()) {
		/* Two forwards of layers, for the activations between them. */
		struct piece pieces[] = {
			{ .part = LAYER_BODY, .phase = TIMING_FORWARD, .layer = 0, .start = 1000000 },
			{ .part = LAYER_BODY, .phase = TIMING_FORWARD, .layer = 1, .start = 2000000 },
		};
		struct layout layout = { .n = 2, .at = pieces };
		struct trace_job job = { .rank = -1, .stage = -1, .stages = -1 };
		struct memory m = { 0 };
		struct csv c;

		csv_memory(&c, (const char *)data, n);
		memory_table(&m, &layout, job, &c, "<memory>");
		csv_close(&c);
		memory_activation(&m, 0);
		memory_free(&m);
	}
	fuzz_end();
	if (FUZZ_BEGIN()) {
		struct piece pieces[] = {
			{ .part = LAYER_BODY, .phase = TIMING_FORWARD, .start = 1000000, .wall = 1e6 },
			{ .part = LAYER_BODY, .phase = TIMING_BACKWARD, .start = 2000000, .wall = 1e6 },
		};
		const struct piece *const sorted[] = { &pieces[0], &pieces[1] };
		int64_t begin = 1000000, end = 3000000;
		bool good = true;
		struct sequence s = { .steps = 1 };
		struct layout layout = { .n = 2, .at = pieces, .good = &good, .begin = &begin, .end = &end };
		struct rank_run run = { &s, &layout, &good, { .stage = 0 }, "<memory>", false };
		struct observations o = { .run = "r" };
		struct csv c;

		csv_memory(&c, (const char *)data, n);
		tensors_table(&o, &run, sorted, &c);
		csv_close(&c);
		observations_free(&o);
	}
	fuzz_end();
	return 0;
}
