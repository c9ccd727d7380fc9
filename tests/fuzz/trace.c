/* Fuzz target: any bytes as a timeline end in records or in a message, within bounded memory. */
#include "fuzz.h"
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
		struct timeline t = { .classes = &classes };
		struct timings timings;
		struct place at = { 0 };
		char *why = NULL;

		class_add(&classes, "LlamaEmbedding", LAYER_HEAD, at);
		class_add(&classes, "LLamaDecodeLayer", LAYER_BODY, at);
		class_add(&classes, "LlamaRMSNorm", LAYER_TAIL, at);
		timings_init(&timings, &classes);
		scan_memory(&t.scan, (const char *)data, n);
		if (timeline_read(&t, (struct step_range){ 0 }, &timings, &why)) {
			timings_check(&timings);
			timings_write(nowhere, &timings);
			timings_write_layers(nowhere, &timings, 2, 0, NULL);
		}
		free(why);
		timeline_free(&t);
		timings_free(&timings);
		classes_free(&classes);
	}
	fuzz_end();
	return 0;
}
