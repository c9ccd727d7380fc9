/*
 * Fuzz target: any bytes as a timeline, of kernels or of operations, or as a training log, end in records or in a
 * message, within bounded memory.
 */
#include "fuzz.h"
#include "sapp-trace/run/device.h"
#include "sapp-trace/run/rank_lines.h"
#include "sapp-trace/layers/check.h"
#include "sapp-trace/timeline.h"

static void
read_one(struct timeline *t, struct answers *a)
{
	const char *source;
	char *why = NULL;

	if (log_begins(&t->scan))
		logs_read(&a->logs, &t->scan, &a->operations, &why);
	else
		timeline_read(t, a, true, &why);
	free(why);
	why = NULL;
	while (device_next(t->question, a, &source, &why) || source != NULL) {
		free(why);
		why = NULL;
	}
}

static void
write_all(FILE *f, struct answers *a, const struct trace_question *q, bool replay)
{
	logs_write(f, &a->logs, q->steps, q->stages, q->micro, 0);
	if (a->operations.any)
		rank_lines_end(&a->operations, q->stages);
	if (a->operations.any)
		operations_write(f, &a->operations, q->steps, replay);
	if (a->timings.layers.n == 0)
		return;
	timings_settle(&a->timings);
	timings_check(&a->timings, &a->found);
	timings_write(f, &a->timings);
	timings_write_layers(f, &a->timings, 2, 0, NULL);
	outside_write(f, &a->outside);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static FILE *nowhere;
	static char buffer[BUFSIZ];	/* not one that stdio allocates for the first input, and keeps */

	if (nowhere == NULL && ((nowhere = fopen("/dev/null", "w")) == NULL ||
	    setvbuf(nowhere, buffer, _IOFBF, sizeof buffer) != 0))
		abort();
	if (FUZZ_BEGIN()) {
		struct classes classes = { 0 };
		struct trace_question question = { .classes = &classes, .micro = n % 3 ? 2 : 0,
		    .stages = n % 5 ? 0 : 3 };
		struct timeline t = { .question = &question };
		struct answers answers;
		struct place at = { 0 };

		class_add(&classes, "LlamaEmbedding", LAYER_HEAD, at);
		class_add(&classes, "LLamaDecodeLayer", LAYER_BODY, at);
		class_add(&classes, "LlamaRMSNorm", LAYER_TAIL, at);
		answers_init(&answers, &classes);
		scan_memory(&t.scan, (const char *)data, n);
		read_one(&t, &answers);
		write_all(nowhere, &answers, &question, n % 2);
		timeline_free(&t);
		answers_free(&answers);
		classes_free(&classes);
	}
	fuzz_end();
	return 0;
}
