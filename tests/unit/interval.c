/* The joint error of parts of a step: errors from the same runs add up, others add in squares. */
#include "lib/estimate/interval.h"
#include "tap.h"

/*
 * Return the interval of a step of 1 s. SHARE: shares of layers, ends, the remaining time, replicas and messages in the
 * step; ERROR: the error of each share.
 */
static struct interval
interval_like(const double share[5], const double error[5], double left)
{
	struct costs k = {
		.layers = { .source = SOURCE_MEASURED, .error = error[0] },
		.ends = { .source = SOURCE_MEASURED, .error = error[1] }
	};
	struct appraisal a = { .brief = { .step_time = 1 }, .costs = &k, .left = left };

	a.part[STEP_FORWARD] = share[0] / 3;
	a.part[STEP_BACKWARD] = 2 * share[0] / 3;
	a.part[STEP_HEAD] = share[1];
	a.part[STEP_OPTIMIZER] = share[2];
	a.part[STEP_DP] = share[3];
	a.layer_share[SHARE_MATMUL] = share[0];
	a.besides = (struct grounds){ .source = SOURCE_MEASURED, .error = error[2] };
	a.network = (struct grounds){ .source = SOURCE_MEASURED, .error = error[3] };
	a.part[STEP_PP] = share[4];
	a.transfers = (struct grounds){ .source = SOURCE_COMPUTED, .error = error[4] };
	return interval_of(&a);
}

/*
 * Ten steps have errors of 1.645 * hypot(0.03, f * 0.04), with f from 0.1 to 1. If the interval uses 0.9 * 0.04, nine
 * of them are inside.
 */
static void
factors(void)
{
	struct trial t[10];
	double far, none;

	for (int i = 0; i < 10; i++) {
		double f = (double)(i * 7 % 10 + 1) / 10, near = 9e-4, slope = 16e-4;

		t[i] = (struct trial){ INTERVAL_NORMAL * INTERVAL_NORMAL * (near + f * f * slope), near + slope, near };
	}
	ok(fabs(interval_factor(t, 10, 0) - 0.9) < 1e-9, "the error per distance has nine inside");
	ok(fabs(interval_factor(t, 10, 0.024) - sqrt(0.81 - 0.36)) < 1e-9, "the remaining error counts first");
	none = interval_factor(t, 10, 1);
	t[3].off = t[5].off = 1;
	far = interval_factor(t, 10, 0);
	ok(none == 0.3 && far == 3, "at least 0.3 and at most 3 of it");
	/* A step outside has equal shapes, so a larger error per distance would not include this step. */
	t[3].all = t[3].alike;
	t[5].all = t[5].alike;
	ok(fabs(interval_factor(t, 10, 0) - 1) < 1e-9, "steps of the very shapes do not count");
	for (int i = 0; i < 10; i++)
		t[i].all = t[i].alike;
	ok(interval_factor(t, 10, 0) == 1, "if there are only such errors, it stays");
}

int
main(void)
{
	const double share[] = { 0.7, 0, 0.2, 0.1, 0 }, error[] = { 0.02, 0, 0.1, 0.3, 0.3 };
	const double halves[] = { 0.5, 0.5, 0, 0, 0 }, both[] = { 0.02, 0.02, 0.1, 0.3, 0.3 };
	const double links[] = { 0.6, 0, 0, 0.1, 0.3 }, unlike[] = { 1e-9, 0, 0, 0.4, 0.1 };
	struct interval i = interval_like(share, error, 0), h = interval_like(halves, both, 0),
	    l = interval_like(links, unlike, 0), left = interval_like(share, error, 0.03);

	ok(fabs(i.error - 0.03868) < 5e-6, "0.7, 0.2 and 0.1 of a step, off by 0.02, 0.1 and 0.3: 0.03868");
	ok(fabs(i.high - 1.0657) < 5e-5, "nine of ten are below 1.0657 of it");
	ok(fabs(i.low * i.high - 1) < 1e-12, "and above its inverse");
	ok(fabs(h.error - 0.02) < 1e-9, "halves that the same runs tell are off together");
	ok(fabs(l.error - 0.05) < 1e-9, "replicas and messages each have their error: 0.04 and 0.03 are 0.05");
	ok(fabs(left.error - hypot(i.error, 0.03)) < 1e-9, "the remaining error is added");
	factors();
	return tap_done();
}
