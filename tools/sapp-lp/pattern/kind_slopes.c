/* Kind slopes: the hull from the fastest kind on. */
#include "kind_slopes.h"

int
kind_slopes(const struct body *body, const double *mb, double *slope)
{
	int n = 0, at = -1;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (body->has[k] && (at < 0 || body->backward[k] < body->backward[at] ||
		    (body->backward[k] == body->backward[at] && mb[k] < mb[at])))
			at = k;
	for (;;) {
		double steepest = 0;
		int next = -1;

		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			double saved = mb[at] - mb[k], lost = body->backward[k] - body->backward[at];

			if (body->has[k] && saved > 0 && lost > 0 && saved / lost > steepest) {
				steepest = saved / lost;
				next = k;
			}
		}
		if (next < 0)
			return n;
		slope[n++] = 1 / steepest;
		at = next;
	}
}
