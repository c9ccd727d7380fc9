/* Fuzz the YAML reader and what is made of its tree: lists, strategies, a training YAML that is edited. */
#include <stdlib.h>

#include "fuzz.h"
#include "lib/base/alloc.h"
#include "lib/simulate/load.h"
#include "lib/schedule/schedule.h"
#include "lib/yaml/settings.h"
#include "lib/model/strategy.h"
#include "lib/yaml/yaml.h"
#include "sapp-yaml/mindformers/update.h"

enum { STAGES = 4, LAYERS = 8 };

static struct grid
numbers(int a, int b, int c, int d)
{
	struct grid g = grid_new(1, STAGES);

	memcpy(g.at, (int[]){ a, b, c, d }, STAGES * sizeof *g.at);
	return g;
}

/* The file must be left alone with a message, or say what the plan says. */
static void
edit(const uint8_t *data, size_t size)
{
	struct plan plan = { .name = xstrdup("p"), .interleave = 1, .micro_batches = 16,
		.offset = numbers(-1, 1, 0, 0), .recompute = numbers(1, 0, 2, 0),
		.select_recompute = numbers(1, 1, 2, 0), .select_comm_recompute = numbers(1, 2, 2, 1) };
	struct question q = { .layers = LAYERS, .micro_batches = 16, .pieces = numbers(1, 3, 2, 2),
		.shape = { .kind = SCHEDULE_1F1B, .stages = 2, .chunks = 2 },
		.place = { "plan", 1 } };
	struct edits edits = { 0 };
	struct training t;
	struct settings now;
	char *text = xcalloc(size + 1, 1);
	size_t length;

	memcpy(text, data, size);
	training_parse(&t, "fuzz", text, size, true);
	now = training_settings(&t, LAYERS);
	update_check(&t, &plan, &q);
	update_edits(&edits, &t, &plan, &q, size % 2);
	text = edits_apply(&edits, t.text, t.length, &length);
	update_verify("fuzz", text, length, &plan, &q);
	edits_free(&edits);
	settings_free(&now);
	training_free(&t);
}

static void
strategies(const uint8_t *data, size_t size)
{
	static struct body body[] = { { .name = "a", .layers = 5 }, { .name = "b", .layers = 3 } };
	struct network net = { .nbodies = 2, .body = body, .layers = LAYERS };
	struct pipeline q = { .stages = 2, .interleave = 2, .schedule = SCHEDULE_ZBV };
	struct yaml *y = yaml_parse((const char *)data, size, "fuzz");
	struct strategies all = strategies_read(y, &net, &q);

	q.micro_batches = 4;
	for (int i = 0; i < all.n; i++) {
		struct shape shape = plan_shape(&all.plan[i], &q);

		if (schedule_problem(&shape) == NULL)
			load_check(&all.plan[i], &net, &shape, y->place);
	}
	strategies_free(&all);
	yaml_release(y);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (FUZZ_BEGIN()) {
		struct yaml *y = yaml_parse((const char *)data, size, "fuzz");
		const struct yaml *list = y->type == YAML_MAP ? yaml_get(y, "recompute") : y;
		int layers[] = { 5, 6, 7, 8, 5, 6, 7, 8 };
		struct grid all = { 2, 4, layers };

		/* Keys stay within their maps, nodes within the file. */
		for (int i = 0; i < y->n; i++)
			if (y->item[i]->place.line < 1 || (y->type == YAML_MAP && y->key[i] == NULL))
				abort();
		if (y->type == YAML_MAP && yaml_get(y, "parallel_config") != NULL)
			edit(data, size);
		else if (y->type == YAML_MAP && size % 2 == 0)
			strategies(data, size);
		free(settings_list(list, "recompute", 2, 4, &all).at);
		yaml_release(y);
	}
	fuzz_end();
	return 0;
}
