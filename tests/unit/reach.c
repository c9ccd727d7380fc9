/* Whether a plan can be as short as a time: exactly where it is, for time and for memory. */
#include "lib/strategy/reach.h"
#include "tap.h"

/* One stage of four layers of 0.1 s, recomputed for 0.05 s more each, which saves 10 bytes for the one micro-batch. */
static const struct configuration stage = { .pp = 1, .vp = 1, .micro_batches = 3, .schedule = ORDER_1F1B };
static const struct reach layers = { .layer[0] = { .count = 4, .work = 0.1, .again = { 0, 0.01, 0.05 },
	.memory = { 12, 12, 2 }, .state = 1 }, .constant = 5, .parted = true };

static bool
below(double time, double limit)
{
	struct reach r = layers;

	r.limit = limit;
	return reach_below(&r, &stage, time);
}

int
main(void)
{
	ok(below(3 * 0.4, 0), "the work of the only stage is within reach");
	ok(!below(3 * 0.4 * (1 - 1e-9), 0), "less is not");
	ok(below(3 * 0.4, 57), "and with memory for all that is kept");
	ok(!below(3 * 0.4, 56), "but not with less");
	ok(below(3 * 0.45, 47), "a layer that is recomputed makes as much room as it saves");
	ok(!below(3 * 0.45 * (1 - 1e-9), 47) && !below(3 * 0.45, 46), "takes its time, and makes no more");
	ok(below(3 * 0.6, 17), "all of them exactly enough");
	ok(!below(1000, 16), "and what remains of them does not fit into less, whatever the time");
	return tap_done();
}
