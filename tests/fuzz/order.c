/*
 * Fuzz orders given as files: a valid order runs or is reported not to end, and is the same after writing and reading
 * it again.
 */
#include "fuzz.h"
#include "lib/base/alloc.h"
#include "lib/record/chunks.h"
#include "lib/simulate/simulation.h"

enum { STAGES = 8 };

/* Return the number of stages: lines that are not blank. */
static int
stages_of(const char *text)
{
	int n = 0;

	for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
		n += text[strspn(text, " \t\r,")] != '\n' && text[strspn(text, " \t\r,")] != '\0';
	return n;
}

static char *
written(const struct schedule *s)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	schedule_order_write(f, s);
	fclose(f);
	return text;
}

static void
run(const struct shape *q, const char *name)
{
	struct table times = table_new(q->chunks, q->stages);
	struct chunks c = { .name = (char *)name, .schedule = (int)q->kind, .micro_batches = q->micro,
		.forward = times, .order = (char *)q->order, .overlap = 1,
		.backward_ratio = { 1, 1, (double[]){ 2 } } };
	struct load load;
	struct schedule s = schedule_new(q);
	struct simulation sim = { 0 };

	for (int i = 0; i < q->chunks * q->stages; i++)
		times.at[i] = 1 + i % 3;
	load = load_from_chunks(&c);
	if (simulation_run(&sim, &s, &load)) {
		char *text = written(&s), *twice;
		struct shape again = *q;
		struct schedule t;

		if (!(sim.step_time > 0))
			abort();
		again.order = text;
		if (schedule_problem(&again) != NULL)
			abort();
		t = schedule_new(&again);
		twice = written(&t);
		if (strcmp(text, twice) != 0)
			abort();
	} else {
		free(simulation_cycle(&sim));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int micros[] = { 1, 2, 4, 8 };

	if (FUZZ_BEGIN()) {
		char *text = xcalloc(size + 1, 1);
		struct shape q = { .order = text };

		memcpy(text, data, size);
		q.stages = stages_of(text);
		for (int kind = 0; kind < 2 && q.stages > 0 && q.stages <= STAGES; kind++)
			for (size_t m = 0; m < sizeof micros / sizeof micros[0]; m++)
				for (q.chunks = 1; q.chunks <= 2; q.chunks++) {
					q.kind = kind == 0 ? SCHEDULE_CUSTOM : SCHEDULE_DUALPIPE;
					q.micro = micros[m];
					if (schedule_problem(&q) == NULL)
						run(&q, "c");
				}
	}
	fuzz_end();
	return 0;
}
