/*
 * The least raise of limits with which a plan fits: the bound by capacities must be below the least raise over all
 * layouts of small questions, and near this raise.
 */
#include "lp_random.h"
#include "sapp-lp/bound/capacity_bound.h"
#include "sapp-lp/exact/layouts.h"
#include "tap.h"

#define QUESTIONS draws(150, 600)
enum { TRIES = 100000 };
static const double NEAR = 0.9;	/* mean of the bounds, as a share of the least raise without layers */
static const double RAISE = 1e6;	/* MB; every question fits */

int
main(void)
{
	long asked = 0, above = 0, none = 0, tight = 0;
	double part = 0;

	for (int n = 0; n < QUESTIONS; n++) {
		struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1), .digits = n % 2, .own = n % 4 == 3,
			.empty = n % 5 == 4, .transient = n % 3 == 2, .floors = n % 7 == 5 };
		struct problem p;
		double limit = 0, mb = INFINITY, raise;

		draw_question(&q);
		p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ 1, &limit }, true);
		for (int s = 0; s < p.stages; s++)
			p.limit[s] = 0;
		int layers[p.pieces];
		if (layouts_least(&p, TRIES, INFINITY, 0, &mb, layers) && mb < INFINITY && mb > 1e-3) {
			struct capacity_bound l = capacity_bound_new(&p);

			raise = capacity_least_raise(&l, RAISE, INFINITY);
			asked++;
			above += raise > mb + 1e-6;
			tight += raise > mb - 1e-3;
			none += raise == -INFINITY;
			part += fmax(raise, 0) / mb;
			capacity_bound_free(&l);
		}
		problem_free(&p);
	}
	printf("# %ld questions: the bound is %.4f of the least raise, the same for %ld of them\n", asked,
	    part / (double)asked, tight);
	ok(asked > QUESTIONS / 2 && tight > asked / 10, "many questions");
	same(0, none, "each has a bound,");
	same(0, above, "none above the least raise of all layouts,");
	ok(part > NEAR * (double)asked, "and all together as near as they were");
	return tap_done();
}
