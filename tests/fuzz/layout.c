/*
 * Fuzz --pipeline-model-parallel-layout: an accepted layout has the requested number of pieces, and is the same after
 * writing and reading it again.
 */
#include "fuzz.h"
#include "lib/base/alloc.h"
#include "lib/setup/layout.h"

/* The reader must accept our own output. */
static void
taken(int status)
{
	(void)status;
	abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (FUZZ_BEGIN()) {
		struct grid layers, extra, layers2, extra2;
		struct place at = { .source = "fuzz" };
		char *text = xcalloc(size + 1, 1), *again;
		int stages = 1 + (int)(size % 4), pieces;

		memcpy(text, data, size);
		layout_read(text, stages, &layers, &extra, at);
		pieces = layers.chunks * layers.stages;
		again = layout_write(layers, extra);
		if (layers.stages != stages || pieces < stages)
			abort();
		place_exit = taken;
		layout_read(again, stages, &layers2, &extra2, at);
		for (int i = 0; i < pieces; i++)
			if (layers.at[i] != layers2.at[i] || extra.at[i] != extra2.at[i])
				abort();
	}
	fuzz_end();
	return 0;
}
