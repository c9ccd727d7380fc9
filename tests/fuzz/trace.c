/* Fuzz target: any bytes as a timeline end in records or in a message, within bounded memory. */
#include "fuzz.h"
#include "sapp-trace/time/check.h"
#include "sapp-trace/timeline.h"

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
		struct question question = { .classes = &classes };
		struct timeline t = { .question = &question };
		struct answers answers;
		struct place at = { 0 };
		char *why = NULL;

		class_add(&classes, "LlamaEmbedding", LAYER_HEAD, at);
		class_add(&classes, "LLamaDecodeLayer", LAYER_BODY, at);
		class_add(&classes, "LlamaRMSNorm", LAYER_TAIL, at);
		answers_init(&answers, &classes);
		scan_memory(&t.scan, (const char *)data, n);
		if (timeline_read(&t, &answers, true, &why)) {
			timings_check(&answers.timings, answers.found);
			timings_write(nowhere, &answers.timings);
			timings_write_layers(nowhere, &answers.timings, 2, 0, NULL);
		}
		free(why);
		timeline_free(&t);
		answers_free(&answers);
		classes_free(&classes);
	}
	fuzz_end();
	return 0;
}
