/* Greedy fillings of small models, computed by hand. */
#include "sapp-lp/heuristic/greedy.h"
#include "tap.h"

/* These layers have no recomputation. */
static struct body
layers(const char *name, int n, double parameter, double activation)
{
	return (struct body){ .name = name, .layers = n, .forward = 1, .parameter = parameter,
		.has = { [RECOMPUTE_NONE] = true, [RECOMPUTE_FULL] = true },
		.backward = { [RECOMPUTE_NONE] = 2, [RECOMPUTE_FULL] = 3 },
		.activation = { [RECOMPUTE_NONE] = activation, [RECOMPUTE_FULL] = activation } };
}

/*
 * The second stage cannot take b, so it ends after the a's, or begins after the b's: at 2 or 5, not between. Only the
 * last stage takes d's. The third stage takes the layers that the second leaves before the d's: from 2, since it cannot
 * begin at 4.
 */
static void
gaps(void)
{
	struct body body[] = { layers("a", 2, 1, 0), layers("b", 2, 10, 0), layers("c", 1, 1, 0),
		layers("d", 2, 100, 0) };
	struct network net = { .name = "gaps", .body = body, .nbodies = 4, .layers = 7 };
	struct shape shape = { .kind = SCHEDULE_1F1B, .stages = 4, .chunks = 1, .micro = 8 };
	struct devices devices = { 0 };
	double limit[] = { 30, 5, 30, 300 };
	static const int want[] = { 1, 1, 3, 2 };
	struct problem p;
	int got[4];

	/* The last stage has the most work, whatever the other stages take. */
	body[3].forward = 10;
	p = problem_new(&net, &shape, &devices, (struct list){ 4, limit }, true);
	ok(greedy_time(&p, INFINITY, got) && memcmp(got, want, sizeof got) == 0,
	    "a stage that cannot hold what lies between");
	problem_free(&p);
}

/*
 * Two stages of two chunks with a layer each, with 1 MB per micro-batch and 1 MB while it runs. At its peak the first
 * stage has 3 micro-batches in its first chunk and 2 in the other, which share its memory in proportion: 3 + 1 MB are
 * three fifths of 6.67 MB, 2 + 1 MB are two fifths of 7.5 MB. The second stage has 2 and 1: 3 are two thirds, 2 are one
 * third of 6 MB.
 */
static void
shares(void)
{
	struct body body = layers("a", 4, 0, 1);
	struct network net = { .name = "shares", .body = &body, .nbodies = 1, .layers = 4 };
	struct shape shape = { .kind = SCHEDULE_VPP, .stages = 2, .chunks = 2, .micro = 8 };
	struct devices devices = { 0 };
	double limit = 0;
	struct problem p;
	int got[4];

	body.transient = 1;
	p = problem_new(&net, &shape, &devices, (struct list){ 1, &limit }, true);
	near(7.5, greedy_memory(&p, got), 1e-6, "chunks share memory, including their transient memory");
	problem_free(&p);
}

int
main(void)
{
	gaps();
	shares();
	return tap_done();
}
