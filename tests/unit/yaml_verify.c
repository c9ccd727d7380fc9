/* The last check of an edited training YAML: it must express the whole plan, or it is not written. */
#include <string.h>

#include "lib/base/alloc.h"
#include "sapp-yaml/mindformers/update.h"
#include "tap.h"

enum { STAGES = 2, LAYERS = 12 };

static const char lines[] =
    "parallel_config:\n"
    "  pipeline_stage: 2\n"
    "  micro_batch_num: 4\n"
    "parallel:\n"
    "  pipeline_config:\n"
    "    pipeline_interleave: True\n"
    "    pipeline_scheduler: '1f1b'\n"
    "model:\n"
    "  model_config:\n"
    "    num_layers: 12\n"
    "    pp_interleave_num: 2\n"
    "    offset: [[1, 0], [-1, 0]]\n"
    "recompute_config:\n"
    "  recompute: [[1, 0], [0, 1]]\n"
    "  select_recompute: [[2, 1], [0, 2]]\n"
    "  select_comm_recompute: [[3, 1], [0, 1]]\n";

static struct grid
grid_of(int a, int b, int c, int d)
{
	struct grid g = grid_new(2, STAGES);

	g.at[0] = a;
	g.at[1] = b;
	g.at[2] = c;
	g.at[3] = d;
	return g;
}

static void
verify(const char *text, const struct plan *p)
{
	struct yaml_question q = { .layers = LAYERS, .micro_batches = 4,
		.shape = { .kind = SCHEDULE_VPP, .stages = STAGES, .chunks = 2, .micro = 4 } };

	update_verify("train.yaml", xstrdup(text), strlen(text), p, &q);
}

/* Return the text with FROM, which occurs once, replaced by TO. */
static char *
altered(const char *from, const char *to)
{
	const char *at = strstr(lines, from);

	return xasprintf("%.*s%s%s", (int)(at - lines), lines, to, at + strlen(from));
}

int
main(void)
{
	static const char *const wrong[][2] = {
		{ "offset: [[1, 0], [-1, 0]]", "offset: [[0, 1], [-1, 0]]" },
		{ "  recompute: [[1, 0], [0, 1]]", "  recompute: [[1, 0], [0, 0]]" },
		{ "select_recompute: [[2, 1], [0, 2]]", "select_recompute: [[2, 1], [0, 1]]" },
		{ "select_comm_recompute: [[3, 1], [0, 1]]", "select_comm_recompute: [[3, 1], [0, 2]]" },
		{ "pipeline_scheduler: '1f1b'", "pipeline_scheduler: 'gpipe'" },
	};
	struct plan p = { .name = xstrdup("plan"), .schedule = SCHEDULE_VPP, .interleave = 2,
		.offset = grid_of(1, 0, -1, 0), .recompute = grid_of(1, 0, 0, 1),
		.select_recompute = grid_of(2, 1, 0, 2),
		.select_comm_recompute = grid_of(3, 1, 0, 1) };

	verify(lines, &p);
	ok(true, "a text that expresses the plan");
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		char *text = altered(wrong[i][0], wrong[i][1]);

		DIES("would not express the plan 'plan'", verify(text, &p), wrong[i][1]);
		free(text);
	}
	fields_free(&plan_fields, &p);
	return tap_done();
}
