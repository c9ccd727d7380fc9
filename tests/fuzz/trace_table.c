/* Fuzz target: any bytes as a table of kernels end in layers or in a message. */
#include "fuzz.h"
#include "sapp-trace/sequence/details.h"
#include "sapp-trace/sequence/layout.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (FUZZ_BEGIN()) {
		struct layout_hints hints = { .micro = n % 3 ? 0 : 2, .stage = (int)(n % 4) - 1,
			.stages = n % 4 ? 3 : -1 };
		struct sequence s = { 0 };
		struct layout l;
		struct csv c;
		char *why = NULL;

		csv_memory(&c, (const char *)data, n);
		details_read(&c, &s);
		csv_close(&c);
		layout_find(&l, &s, &hints, &why);
		free(why);
		layout_free(&l);
		sequence_free(&s);
	}
	fuzz_end();
	return 0;
}
