/*
 * Fuzz the editing of training YAMLs: a file is refused with a message, or it afterwards states the plan, and a second
 * edit changes nothing.
 */
#include "fuzz.h"
#include "lib/base/alloc.h"
#include "sapp-yaml/mindformers/update.h"

enum { LAYERS = 8, PIECES = 4 };

static struct grid
numbers(int chunks, const int *at)
{
	struct grid g = grid_new(chunks, PIECES / chunks);

	memcpy(g.at, at, PIECES * sizeof *g.at);
	return g;
}

/* Plans of one chunk, of two interleaved chunks, and of two chunks in a V. */
static struct plan
plan_of(int chunks)
{
	return (struct plan){ .name = xstrdup("p"), .interleave = chunks, .micro_batches = 16,
		.offset = numbers(chunks, (int[]){ -1, 1, 0, 0 }), .recompute = numbers(chunks, (int[]){ 1, 0, 2, 0 }),
		.select_recompute = numbers(chunks, (int[]){ 1, 1, 2, 0 }),
		.select_comm_recompute = numbers(chunks, (int[]){ 1, 2, 2, 1 }) };
}

/* Return the text with the plan. */
static char *
update(char *text, size_t *length, const struct plan *plan, const struct yaml_question *q, size_t size)
{
	struct training t;
	struct settings now;
	char *new;

	training_parse(&t, "fuzz", text, *length, true);
	update_check(&t, plan, q);
	training_check(&t);
	now = training_settings(&t, LAYERS);
	new = update_text(&t, plan, q, size % 2, length);
	settings_free(&now);
	training_free(&t);
	return new;
}

static void
edit(const uint8_t *data, size_t size)
{
	static const enum schedule_kind kinds[] = { SCHEDULE_1F1B, SCHEDULE_VPP, SCHEDULE_ZBV };
	int which = (int)(size / 2 % 3), chunks = which > 0 ? 2 : 1;
	struct plan plan = plan_of(chunks);
	struct yaml_question q = { .layers = LAYERS, .micro_batches = 16, .pieces = numbers(chunks, (int[]){ 1, 3, 2,
	    2 }),
		.shape = { .kind = kinds[which], .stages = PIECES / chunks, .chunks = chunks, .micro = 16 },
		.place = { "plan", 1 } };
	char *text = xcalloc(size + 1, 1), *again;
	size_t length = size, same;

	memcpy(text, data, size);
	text = update(text, &length, &plan, &q, size);
	update_verify("fuzz", xstrndup(text, length), length, &plan, &q);
	same = length;
	again = update(xstrndup(text, length), &same, &plan, &q, size);
	if (same != length || memcmp(text, again, length) != 0)
		abort();
	free(text);
	free(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (FUZZ_BEGIN())
		edit(data, size);
	fuzz_end();
	return 0;
}
