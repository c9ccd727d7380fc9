/* Fuzz target: any bytes as a table of kernels end in layers or in a message. */
#include "fuzz.h"
#include "sapp-trace/run/observe.h"
#include "sapp-trace/layers/details.h"
#include "sapp-trace/layers/layout.h"

/*
 * Write the output of -kernels to NOWHERE. NOWHERE must not be a stream of the input, because the input's streams are
 * closed at its end.
 */
static void
show(const struct sequence *s, const struct layout *l, FILE *nowhere)
{
	static char source[] = "<memory>", run[] = "r";
	static const struct classes none;
	struct trace_job job = { .rank = 0, .stage = -1, .stages = 2, .tp = 1, .dp = 2, .world = 4 };
	struct observations o = { .run = run };

	for (size_t i = 0; i < l->n; i++)
		l->at[i].class = -1;
	observe(&o, &(struct rank_run){ s, l, l->good, job, source, false });
	observations_write(nowhere, &o, &none);
	observations_free(&o);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static char buffer[BUFSIZ];
	static FILE *nowhere;

	if (nowhere == NULL && ((nowhere = fopen("/dev/null", "w")) == NULL ||
	    setvbuf(nowhere, buffer, _IOFBF, sizeof buffer) != 0))
		abort();
	if (FUZZ_BEGIN()) {
		struct layout_hints hints = { .micro = n % 3 ? 0 : 2, .stage = (int)(n % 4) - 1,
			.stages = n % 4 ? 3 : -1 };
		struct sequence s = { .keep = n % 2 };
		struct layout l;
		struct csv c;
		char *why = NULL;

		csv_memory(&c, (const char *)data, n);
		details_read(&c, &s);
		csv_close(&c);
		if (layout_find(&l, &s, &hints, &why) && s.keep)
			show(&s, &l, nowhere);
		free(why);
		layout_free(&l);
		sequence_free(&s);
	}
	fuzz_end();
	return 0;
}
