/* Fuzz target: any bytes as a training log, or as a timeline of operations, end in records or in a message. */
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
		struct question question = { .classes = &classes, .micro = n % 3 ? 2 : 0, .stages = n % 5 ? 0 : 3 };
		struct timeline t = { .question = &question };
		struct answers answers;
		char *why = NULL;

		answers_init(&answers, &classes);
		scan_memory(&t.scan, (const char *)data, n);
		if (log_begins(&t.scan))
			logs_read(&answers.logs, &t.scan, &why);
		else
			timeline_read(&t, &answers, true, &why);
		logs_write(nowhere, &answers.logs, question.steps, question.stages, question.micro, 0);
		if (answers.operations.any)
			operations_write(nowhere, &answers.operations, question.steps, n % 2);
		free(why);
		timeline_free(&t);
		answers_free(&answers);
		classes_free(&classes);
	}
	fuzz_end();
	return 0;
}
