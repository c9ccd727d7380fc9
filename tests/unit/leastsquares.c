/* Least squares: known solutions, rank, null space, standard errors, and outliers. */
#include "lib/measure/leastsquares.h"
#include "tap.h"

/* A line through points: y = 3 + 2 x, and its textbook standard errors. */
static void
line(void)
{
	const double a[] = { 1, 0, 1, 1, 1, 2, 1, 3, 1, 4 }, b[] = { 3.1, 4.9, 7.2, 8.8, 11.0 };
	struct leastsquares f = leastsquares_solve(5, 2, a, b);

	same(2, f.rank, "rank of a line");
	near(3.06, f.x[0], 1e-12, "where it begins");
	near(1.97, f.x[1], 1e-12, "its slope");
	near(0.04, f.residual[0], 1e-12, "a residual");
	near(0.6, f.leverage[0], 1e-12, "leverage of an end");
	near(0.2, f.leverage[2], 1e-12, "leverage of the middle");
	/*
	 * The residuals have the variance s^2 = 0.091 / 3, and the slope has the standard error s / sqrt(10). With
	 * three degrees of freedom, t(0.9987) is 9.219 instead of 3.
	 */
	ok(f.error[1] > sqrt(0.091 / 3 / 10) * 3, "standard error, widened for few degrees of freedom");
	ok(f.error[1] < sqrt(0.091 / 3 / 10) * 6, "but not without end");
	leastsquares_free(&f);
}

/* One of twelve equations has an error. */
static void
outlier(void)
{
	double a[24], b[12];
	struct leastsquares f;

	for (int i = 0; i < 12; i++) {
		a[2 * i] = 1;
		a[2 * i + 1] = i;
		b[i] = 5 + 2 * i + (i % 2 ? .5 : -.5) + (i == 7 ? 20 : 0);
	}
	f = leastsquares_solve(12, 2, a, b);
	ok(leastsquares_odd(&f, 7) < 1e-6, "the odd one is improbable");
	for (int i = 0; i < 12; i++)
		if (i != 7 && leastsquares_odd(&f, i) < .05)
			ok(false, "another one is too");
	leastsquares_free(&f);
}

/*
 * By hand: 1, 2, 3 and 10 have the mean 4. Without the 10, the variance of the other residuals is 1, so Student's t of
 * the 10 is sqrt(48).
 */
static void
probability(void)
{
	const double ones[] = { 1, 1, 1, 1 }, b[] = { 1, 2, 3, 10 };
	struct leastsquares f = leastsquares_solve(4, 1, ones, b);

	/* Student's t with two degrees of freedom has P(|T| > t) = 1 - t / sqrt(2 + t^2). */
	near(1 - sqrt(48. / 50), leastsquares_odd(&f, 3), 1e-12, "two degrees of freedom are left");
	/*
	 * The 1 explains 9 / (3 / 4) = 12 of the sum of squares 50. The variance of the others is (50 - 12) / 2 = 19,
	 * so t^2 = 12 / 19.
	 */
	near(1 - sqrt(12. / 19 / (2 + 12. / 19)), leastsquares_odd(&f, 0), 1e-12, "for each of them");
	leastsquares_free(&f);
}

static void
deficient(void)
{
	/* The third column is the sum of the others. */
	const double a[] = { 1, 0, 1, 0, 1, 1, 1, 1, 2, 2, 1, 3 }, b[] = { 1, 2, 3, 4 };
	/* The second unknown is in no equation. */
	const double c[] = { 1, 0, 2, 0, 3, 0 };
	struct leastsquares f = leastsquares_solve(4, 3, a, b);

	same(2, f.rank, "a sum of columns adds no rank");
	ok(isinf(f.condition), "condition is infinite");
	ok(f.error == NULL, "no standard errors");
	near(3, f.residual[2] + 3, 1e-9, "but the residuals are right");
	ok(f.null[0] > .1 && f.null[4] > .1 && f.null[8] > .1, "all three are in the null space");
	near(1, leastsquares_odd(&f, 0), 0, "nothing is odd");
	leastsquares_free(&f);
	f = leastsquares_solve(3, 2, c, b);
	same(1, f.rank, "a column of zeros");
	near(0, f.null[0], 1e-12, "the other unknown is known");
	near(1, f.null[3], 1e-12, "this one is not");
	leastsquares_free(&f);
	f = leastsquares_solve(1, 3, a, b);
	same(1, f.rank, "fewer equations than unknowns");
	leastsquares_free(&f);
}

int
main(void)
{
	line();
	outlier();
	probability();
	deficient();
	return tap_done();
}
