/*
 * Factors that a set of runs can separate: published designs, and random sets. If a set's margin is above 0, its runs
 * must determine the exponents of every product of factors. If the margin is 0, some product must stay undetermined.
 */
#include "lib/base/random.h"
#include "lib/estimate/factor.h"
#include "tap.h"

enum { SETS = 200, RUNS = 6 };
static const bool all[FACTORS] = { true, true, true, true, true, true };
static const bool none[FACTORS] = { false };

static double
margin(int n, const double (*x)[FACTORS], const bool asked[FACTORS])
{
	bool unsure[FACTORS];

	return factors_margin(n, x, asked, unsure);
}

static void
designs(void)
{
	static const double four[4][FACTORS] = { { 2, 2, 2, 1, 4096, 8 }, { 4, 2, 2, 3, 4096, 8 },
		{ 2, 4, 2, 1, 12288, 8 }, { 2, 2, 4, 1, 4096, 24 } };
	/* Design of MindSpeed Auto Tuning: base, tp times 2, two stages, cp 4, cp 2, both, all experts on a device. */
	static const double published[7][FACTORS] = { { 4, 1, 4, 1, 8192, 4 }, { 8, 1, 2, 1, 8192, 4 },
		{ 4, 1, 2, 1, 8192, 4 }, { 4, 4, 4, 1, 8192, 4 }, { 4, 2, 2, 1, 8192, 4 }, { 8, 2, 2, 1, 8192, 4 },
		{ 4, 1, 1, 1, 8192, 4 } };
	double seven[7][FACTORS], less[4][FACTORS];
	bool unsure[FACTORS];

	for (int r = 0; r < 7; r++)
		for (int f = 0; f < FACTORS; f++)
			seven[r][f] = f + 1 == r ? 4 : 2;
	memcpy(less, four, sizeof four);
	less[2][FACTOR_SEQ] = 6144;
	near(0.693, margin(7, (const double (*)[FACTORS])seven, none), 5e-4, "seven runs, each factor twice");
	near(0.288, margin(4, four, none), 5e-4, "four runs of two factors each");
	near(0.118, margin(4, (const double (*)[FACTORS])less, none), 5e-4, "the sequence 1.5 times");
	near(0, factors_margin(7, published, all, unsure), 0, "a published table");
	ok(!unsure[FACTOR_TP] && !unsure[FACTOR_CP] && !unsure[FACTOR_EP] && unsure[FACTOR_MBS] &&
	    unsure[FACTOR_SEQ] && unsure[FACTOR_EXPERTS], "which tells tp, cp and ep alone");
	ok(margin(7, published, none) > 0, "and these it does tell");
	ok(margin(1, four, none) == INFINITY, "of one run nothing is asked");
}

/* Return whether the numbers determine each product of the varying factors. */
static bool
all_told(int n, const double (*x)[FACTORS])
{
	bool varies[FACTORS], told = true;
	struct power p = { .value = 0 }, found;

	factors_vary(n, x, varies);
	for (int f = 0; f < FACTORS; f++)
		p.exponent[f] = varies[f] ? -1 : 0;
	do {
		bool unsure[FACTORS];
		double v[RUNS];

		for (int r = 0; r < n; r++) {
			v[r] = 5040;
			for (int f = 0; f < FACTORS; f++)
				v[r] *= pow(x[r][f], p.exponent[f]);
		}
		told &= factors_explain(n, v, x, 0, &found, unsure) == TOLD_ONE &&
		    memcmp(found.exponent, p.exponent, sizeof p.exponent) == 0;
	} while (told && factors_next(p.exponent, varies, 1));
	return told;
}

int
main(void)
{
	uint64_t state = 11;
	int wrong = 0, told = 0;

	designs();
	for (int s = 0; s < SETS; s++) {
		double x[RUNS][FACTORS];
		int n = 2 + random_below(&state, RUNS - 1), moved = 1 + random_below(&state, FACTORS - 1);
		bool apart;

		for (int r = 0; r < n; r++)
			for (int f = 0; f < FACTORS; f++)
				x[r][f] = f < moved && r > 0 ? 2 * (1 + random_below(&state, 3)) : 2;
		apart = margin(n, (const double (*)[FACTORS])x, none) > 0;
		told += apart;
		wrong += apart != all_told(n, (const double (*)[FACTORS])x);
	}
	same(0, wrong, "with a margin all products are determined, without one some are not");
	ok(told > SETS / 5 && told < SETS * 4 / 5, "of both there are many");
	return tap_done();
}
