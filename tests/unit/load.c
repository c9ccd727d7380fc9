/* Loads: means of a network over its pieces, and the memory of a stage while operations run together. */
#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"
#include "tap.h"

static void
even(void)
{
	struct body body[] = {
		{ .name = "a", .layers = 6, .forward = 1, .backward = { 2.5 } },
		{ .name = "b", .layers = 2, .forward = 3, .backward = { 7 } },
	};
	struct network net = { .nbodies = 2, .body = body, .layers = 8,
		.head = { .there = true, .forward = 4, .backward = 5 },
		.tail = { .there = true, .forward = 8, .backward = 12 } };
	struct shape shape = { .kind = SCHEDULE_VPP, .stages = 2, .chunks = 2, .micro = 4 };
	struct devices devices = { 0 };
	struct load l = load_even(&net, &shape, &devices);

	for (int i = 0; i < 4; i++) {
		near((6 * 1 + 2 * 3 + 4 + 8) / 4.0, l.forward.at[i], 1e-12, "a piece's part of all forwards");
		near((6 * 2.5 + 2 * 7 + 5 + 12) / 4.0, l.backward.at[i], 1e-12, "of all backwards");
		near(l.backward.at[i], l.plain.at[i], 0, "none of which is recomputed");
		near(1, l.activation.at[i], 0, "a MB");
	}
	load_free(&l);
}

/*
 * A forward of chunk 0 runs with a backward of chunk 1: both need their transient memory, plus the forward's
 * activations.
 */
static void
held(void)
{
	struct op op[] = {
		{ .chunk = 1, .phase = PHASE_F }, { .chunk = 0, .phase = PHASE_F, .joined = 1 },
		{ .chunk = 1, .phase = PHASE_B, .joined = 2 }, { .chunk = 1, .phase = PHASE_B },
		{ .chunk = 1, .phase = PHASE_I },
	};
	struct load l = { .chunks = 2, .stages = 1, .activation = table_new(2, 1), .kept = table_new(2, 1),
		.transient = table_new(2, 1) };

	l.activation.at[0] = 10;
	l.activation.at[1] = 20;
	l.transient.at[0] = 3;
	l.transient.at[1] = 5;
	near(100 + 20 + 5, simulation_held(&l, 0, &op[0], 100), 0, "a forward alone");
	near(100 + 10 + 3 + 5, simulation_held(&l, 0, &op[1], 100), 0, "one with a backward behind it");
	near(100 + 3 + 5, simulation_held(&l, 0, &op[2], 100), 0, "a backward with a forward before it");
	near(100 + 5, simulation_held(&l, 0, &op[3], 100), 0, "a backward alone");
	l.kept.at[1] = 24;
	near(100 + 5, simulation_held(&l, 0, &op[4], 100), 0, "what is kept for W is there when the rest has run");
	near(4, simulation_memory(&l, 0, op[4]), 0, "and may be more than before");
	free(l.activation.at);
	free(l.kept.at);
	free(l.transient.at);
}

int
main(void)
{
	even();
	held();
	return tap_done();
}
