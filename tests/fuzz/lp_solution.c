/*
 * Fuzz the output of other solvers: any bytes as log and solution file must give a plan that fits its memory, or none.
 */
#include <math.h>

#include "fuzz.h"
#include "lib/base/alloc.h"
#include "sapp-lp/external/mip_model.h"
#include "sapp-lp/external/solution.h"
#include "sapp-lp/model/stage_settings.h"

enum { STAGES = 2 };

static struct problem problem;
static struct lp_model model;

/* Prepare once, outside the memory of a single input. */
static void
prepare(void)
{
	static struct body body[] = {
		{ .name = "a", .layers = 4, .forward = 1, .parameter = 10, .backward = { 2, 2.2, 2.4, 2.5, 3 },
		  .activation = { 10, 8, 6, 5, 1 }, .has = { true, true, true, true, true } },
		{ .name = "b", .layers = 2, .forward = 2, .parameter = 10, .backward = { 4, 4, 4, 4, 6 },
		  .activation = { 20, 20, 20, 20, 2 }, .has = { [RECOMPUTE_NONE] = true, [RECOMPUTE_FULL] = true } },
	};
	static struct network net = { .name = "n", .nbodies = 2, .body = body, .layers = 6 };
	static const struct devices devices = { 0 };	/* all layers recomputed alike */
	static double limit[STAGES] = { 120, 100 };
	static const struct shape shape = { .kind = SCHEDULE_1F1B, .stages = STAGES, .chunks = 1, .micro = 4 };

	if (model.p != NULL)
		return;
	problem = problem_new(&net, &shape, &devices, (struct list){ STAGES, limit }, true);
	mip_open(&model, &problem);
	/* Compute the fronts now; otherwise they would be computed when an input first needs them. */
	for (int i = 0; i < problem.contents.ncontents; i++)
		contents_front(&problem.contents, i);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	prepare();
	for (int d = 0; d < DIALECTS; d++) {
		if (FUZZ_BEGIN()) {
			/* The expressions have state, therefore each input gets new ones. */
			struct phrases *phrases = phrases_new((enum dialect)d);
			struct solution s = solution_none(&model);
			struct candidate plan = candidate_new(&problem);
			char *text = xcalloc(size + 1, 1);

			memcpy(text, data, size);
			free(solution_read_log(&s, phrases, text));
			memcpy(text, data, size);
			solution_read(&s, phrases, &model, text);
			for (int i = 0; i <= lp_columns(model.lp); i++)
				if (!isfinite(s.x[i]) || (s.x[i] != 0 && !s.found))
					abort();
			if (isnan(s.bound) || s.bound == INFINITY)
				abort();
			if (s.found && mip_plan(&model, s.x, &plan) && !candidate_fits(&problem, &plan))
				abort();
			solution_free(&s);
			phrases_free(phrases);
		}
		fuzz_end();
	}
	return 0;
}
