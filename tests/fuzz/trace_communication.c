/* Fuzz target: any bytes as communication.json, and as profiler_metadata.json, end in times or in a message. */
#include "fuzz.h"
#include "sapp-trace/run/communication.h"
#include "sapp-trace/run/job.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct place at = { .source = "<memory>" };

	if (FUZZ_BEGIN()) {
		struct communications c = { 0 };

		communications_parse(&c, (const char *)data, n, at);
		communications_free(&c);
	}
	fuzz_end();
	if (FUZZ_BEGIN()) {
		struct trace_job job = { .rank = -1, .stage = -1, .stages = -1 };

		job_parse(&job, (const char *)data, n, at);
	}
	fuzz_end();
	return 0;
}
