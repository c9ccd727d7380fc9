/* Fuzz manual strategies: an accepted strategy places every layer of the model, or is refused as a plan. */
#include "fuzz.h"
#include "lib/model/strategy.h"
#include "lib/schedule/schedule.h"
#include "lib/simulate/load.h"

enum { LAYERS = 8 };

static void
strategies(const uint8_t *data, size_t size)
{
	static struct body body[] = { { .name = "a", .layers = 5 }, { .name = "b", .layers = 3 } };
	struct network net = { .nbodies = 2, .body = body, .layers = LAYERS };
	struct pipeline q = { .stages = 2, .interleave = 2, .micro_batches = 4,
		.schedule = size % 2 ? SCHEDULE_ZBV : SCHEDULE_VPP };
	struct yaml *y = yaml_parse((const char *)data, size, "fuzz");
	struct strategies all = strategies_read(y, &net, &q);

	for (int i = 0; i < all.n; i++) {
		struct shape shape = plan_shape(&all.plan[i], &q);

		if (schedule_problem(&shape) == NULL)
			load_check(&all.plan[i], &net, &shape, y->place);
		fields_free(&plan_fields, &all.plan[i]);
	}
	free(all.plan);
	yaml_release(y);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (FUZZ_BEGIN())
		strategies(data, size);
	fuzz_end();
	return 0;
}
