/* How far parts of a step are off together: those of the same runs add up, others by their squares. */
#include "lib/strategy/interval.h"
#include "tap.h"

static const double LEFT = 1e-9;	/* of the step's error, what no part explains: next to nothing */

/* A step of 1 s: shares of layers, of the end layers, of what is besides and of replicas, each with its error. */
static struct interval
interval_like(const double share[4], const double error[4], double left)
{
	struct costs k = { .layers = { SOURCE_MEASURED, error[0] }, .ends = { SOURCE_MEASURED, error[1] } };
	struct appraisal a = { .brief = { .step_time = 1 }, .costs = &k, .left = left };

	a.part[STEP_FORWARD] = share[0] / 3;
	a.part[STEP_BACKWARD] = 2 * share[0] / 3;
	a.part[STEP_HEAD] = share[1];
	a.part[STEP_OPTIMIZER] = share[2];
	a.part[STEP_DP] = share[3];
	a.layer_share[SHARE_MATMUL] = share[0];
	a.besides = (struct grounds){ SOURCE_MEASURED, error[2] };
	a.network = (struct grounds){ SOURCE_MEASURED, error[3] };
	return interval_of(&a);
}

int
main(void)
{
	const double share[] = { 0.7, 0, 0.2, 0.1 }, error[] = { 0.02, 0, 0.1, 0.3 };
	const double halves[] = { 0.5, 0.5, 0, 0 }, both[] = { 0.02, 0.02, 0.1, 0.3 };
	struct interval i = interval_like(share, error, LEFT), h = interval_like(halves, both, LEFT),
	    left = interval_like(share, error, 0.03);

	ok(fabs(i.error - 0.03868) < 5e-6, "0.7, 0.2 and 0.1 of a step, off by 0.02, 0.1 and 0.3: 0.03868");
	ok(fabs(i.high - 1.0657) < 5e-5, "nine of ten are below 1.0657 of it");
	ok(fabs(i.low * i.high - 1) < 1e-12, "and above its inverse");
	ok(fabs(h.error - 0.02) < 1e-9, "halves that the same runs tell are off together");
	ok(fabs(left.error - hypot(i.error, 0.03)) < 1e-9, "what is left of errors is added");
	return tap_done();
}
