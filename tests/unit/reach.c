/* Whether a plan can be as short as a time: exact limits for time and for memory. */
#include "lib/cost/reach.h"
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

/*
 * Two stages of two chunks, 2 micro-batches, 16 layers of 1 s: below 19 s the second stage, behind a layer on the
 * first, can have no more than 8. In equal parts for both chunks a layer of the first one weighs 2.5 in either of
 * them, of the second one 2: (8 * 2.5 + 8 * 2) / 2 = 18 s. With a weight of 2.75 in the last chunk, which may have a
 * single layer, and 2.25 in the other it is only (7 * 2.25 + 2.75 + 8 * 2) / 2 = 17.25 s.
 */
static void
shares(void)
{
	static const struct configuration c = { .pp = 2, .vp = 2, .micro_batches = 2, .schedule = ORDER_INTERLEAVED };
	static const struct reach r = { .layer[0] = { .count = 16, .work = 1 }, .parted = true };

	ok(reach_below(&r, &c, 18), "chunks that weigh the same: so short may a step be");
	ok(!reach_below(&r, &c, 18 * (1 - 1e-9)), "but not shorter");
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
	ok(!below(1000, 16), "and the rest of them does not fit into less, at any time");
	shares();
	return tap_done();
}
