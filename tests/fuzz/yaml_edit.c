/*
 * Fuzz the training YAML that is edited: it is left alone with a message, or says what the plan says, and nothing is
 * left to edit then.
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

/* Plans of one chunk, of two in turn, and of two there and back. */
static struct plan
plan_of(int chunks)
{
	return (struct plan){ .name = xstrdup("p"), .interleave = chunks, .micro_batches = 16,
		.offset = numbers(chunks, (int[]){ -1, 1, 0, 0 }), .recompute = numbers(chunks, (int[]){ 1, 0, 2, 0 }),
		.select_recompute = numbers(chunks, (int[]){ 1, 1, 2, 0 }),
		.select_comm_recompute = numbers(chunks, (int[]){ 1, 2, 2, 1 }) };
}

static void
update(struct training *t, const struct plan *plan, const struct yaml_question *q, size_t size, struct edits *edits)
{
	struct settings now;

	update_check(t, plan, q);
	training_check(t);
	now = training_settings(t, LAYERS);
	update_edits(edits, t, plan, q, size % 2);
	settings_free(&now);
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
	struct edits edits, more;
	struct training t;
	char *text = xcalloc(size + 1, 1), *copy;
	size_t length;

	memcpy(text, data, size);
	training_parse(&t, "fuzz", text, size, true);
	edits = (struct edits){ .text = t.text, .length = t.length };
	update(&t, &plan, &q, size, &edits);
	text = edits_apply(&edits, &length);
	copy = xcalloc(length + 1, 1);
	memcpy(copy, text, length);
	update_verify("fuzz", text, length, &plan, &q);
	training_free(&t);
	training_parse(&t, "fuzz", copy, length, false);
	more = (struct edits){ .text = t.text, .length = t.length };
	update(&t, &plan, &q, size, &more);
	if (more.n != 0)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (FUZZ_BEGIN())
		edit(data, size);
	fuzz_end();
	return 0;
}
