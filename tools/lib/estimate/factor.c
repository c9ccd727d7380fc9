#include "factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"

const char *const factor_names[FACTORS] = { "tp", "cp", "ep", "mbs", "seq", "experts" };
static const double rounding = 1e-9;	/* relative error allowed in exact numbers */

static double
product(const double x[FACTORS], const int exponent[FACTORS])
{
	double p = 1;

	for (int f = 0; f < FACTORS; f++)
		p *= exponent[f] > 0 ? x[f] : exponent[f] < 0 ? 1 / x[f] : 1;
	return p;
}

static double
error_of(int n, const double v[], const double (*x)[FACTORS], struct power *p)
{
	p->error = 0;
	for (int i = 0; i < n; i++)
		p->error = fmax(p->error, fabs(v[i] - p->value * product(x[i], p->exponent)) /
		    fmax(fabs(v[i]), 1e-300));
	return p->error;
}

double
factors_error(int n, const double v[], const double (*x)[FACTORS], struct power *p)
{
	double *each = xcalloc((size_t)n, sizeof *each);

	for (int i = 0; i < n; i++)
		each[i] = v[i] / product(x[i], p->exponent);
	p->value = numbers_median(each, (size_t)n);
	free(each);
	return error_of(n, v, x, p);
}

static bool
explains(int n, const double v[], const double (*x)[FACTORS], double slack, struct power *p)
{
	int largest = 0;

	factors_error(n, v, x, p);
	/*
	 * An absolute slack, such as an allocator's page, matters least in the largest number. Set the value from that
	 * number.
	 */
	if (slack > 0) {
		for (int i = 1; i < n; i++)
			largest = fabs(v[i]) > fabs(v[largest]) ? i : largest;
		p->value = v[largest] / product(x[largest], p->exponent);
		error_of(n, v, x, p);
	}
	for (int i = 0; i < n; i++)
		if (fabs(v[i] - p->value * product(x[i], p->exponent)) > rounding * fabs(v[i]) + slack)
			return false;
	return true;
}

/* Return the number of distinct values of a factor. */
static int
values_of(int n, const double (*x)[FACTORS], int factor)
{
	int values = 0;

	for (int i = 0; i < n; i++) {
		bool seen = false;

		for (int k = 0; k < i; k++)
			seen |= x[k][factor] == x[i][factor];
		values += !seen;
	}
	return values;
}

/*
 * Explain the numbers by a constant plus a multiple of one factor or its inverse. The factor needs three values, since
 * two match any numbers. Return false unless exactly one such sum matches.
 */
static bool
sum_explains(int n, const double v[], const double (*x)[FACTORS], double slack, struct power *best)
{
	int found = 0;

	for (int f = 0; f < FACTORS; f++)
		for (int e = -1; e <= 1 && values_of(n, x, f) >= 3; e += 2) {
			struct power p = { .value = 0 };
			int other = 1;
			double a, b;
			bool good = true;

			p.exponent[f] = e;
			while (x[other][f] == x[0][f])
				other++;
			a = product(x[0], p.exponent);
			b = product(x[other], p.exponent);
			p.value = (v[0] - v[other]) / (a - b);
			p.added = v[0] - p.value * a;
			for (int i = 0; i < n; i++)
				good &= fabs(v[i] - p.added - p.value * product(x[i], p.exponent)) <=
				    rounding * fabs(v[i]) + slack;
			if (good)
				*best = p;
			found += good;
		}
	return found == 1;
}

void
factors_of_run(const struct training_run *r, double x[FACTORS])
{
	x[FACTOR_TP] = r->of.tp;
	x[FACTOR_CP] = r->of.cp;
	x[FACTOR_EP] = r->of.ep;
	x[FACTOR_MBS] = r->of.mbs;
	x[FACTOR_SEQ] = GIVEN(training_run, r, seq_length) ? r->seq_length : 1;
	x[FACTOR_EXPERTS] = GIVEN(training_run, r, experts) ? r->experts : 1;
}

void
factors_suspect(int n, const double v[], const double (*x)[FACTORS], bool unsure[FACTORS])
{
	bool left = false;

	factors_vary(n, x, unsure);
	for (int f = 0; f < FACTORS; f++) {
		bool moves = unsure[f];

		for (int i = 0; i < n && moves; i++)
			for (int k = 0; k < i; k++)
				moves &= v[i] != v[k] || x[i][f] == x[k][f];
		unsure[f] = moves;
		left |= moves;
	}
	if (!left)
		factors_vary(n, x, unsure);
}

void
factors_vary(int n, const double (*x)[FACTORS], bool varies[FACTORS])
{
	for (int f = 0; f < FACTORS; f++) {
		varies[f] = false;
		for (int i = 1; i < n; i++)
			varies[f] |= x[i][f] != x[0][f];
	}
}

bool
factors_next(int delta[FACTORS], const bool moves[FACTORS], int most)
{
	for (int f = 0; f < FACTORS; f++) {
		if (!moves[f])
			continue;
		if (delta[f]++ < most)
			return true;
		delta[f] = -most;
	}
	return false;
}

double
factors_apart(int n, const double (*x)[FACTORS], const int delta[FACTORS])
{
	double most = 0;

	for (int i = 1; i < n; i++) {
		double sum = 0;

		for (int f = 0; f < FACTORS; f++)
			sum += delta[f] != 0 ? delta[f] * log(x[i][f] / x[0][f]) : 0;
		most = fmax(most, fabs(sum));
	}
	return most > rounding ? most : 0;
}

double
factors_margin(int n, const double (*x)[FACTORS], const bool asked[FACTORS], bool unsure[FACTORS])
{
	bool moves[FACTORS];
	int delta[FACTORS];
	double least = INFINITY;

	factors_vary(n, x, moves);
	for (int f = 0; f < FACTORS; f++) {
		moves[f] |= asked[f];
		delta[f] = moves[f] ? -2 : 0;
		unsure[f] = false;
	}
	/* Half of the combinations are enough, since the second half has opposite signs. */
	do {
		bool none = true;
		double apart;

		for (int f = 0; f < FACTORS; f++)
			none &= delta[f] == 0;
		if (none)
			break;
		apart = factors_apart(n, x, delta);
		for (int f = 0; f < FACTORS && apart < least; f++)
			unsure[f] = delta[f] != 0;
		/* Mark every factor in which two products differ that the runs do not distinguish. */
		for (int f = 0; f < FACTORS && apart == 0; f++)
			unsure[f] |= delta[f] != 0;
		least = fmin(least, apart);
	} while (factors_next(delta, moves, 2));
	return least;
}

enum told
factors_explain(int n, const double v[], const double (*x)[FACTORS], double slack, struct power *best,
    bool unsure[FACTORS])
{
	struct power p = { .value = 0 };
	int fewest = FACTORS + 1, found = 0;
	bool varies[FACTORS];

	memset(unsure, 0, FACTORS * sizeof *unsure);
	factors_vary(n, x, varies);
	for (int f = 0; f < FACTORS; f++)
		p.exponent[f] = varies[f] ? -1 : 0;
	do {
		int factors = 0;

		for (int f = 0; f < FACTORS; f++)
			factors += p.exponent[f] != 0;
		if (factors > fewest || !explains(n, v, x, slack, &p))
			continue;
		if (factors < fewest) {
			fewest = factors;
			found = 0;
			*best = p;
			memset(unsure, 0, FACTORS * sizeof *unsure);
		}
		for (int f = 0; f < FACTORS; f++)
			unsure[f] |= p.exponent[f] != best->exponent[f];
		found++;
	} while (factors_next(p.exponent, varies, 1));
	if (found == 0)
		return sum_explains(n, v, x, slack, best) ? TOLD_ONE : TOLD_NONE;
	return found == 1 ? TOLD_ONE : TOLD_SEVERAL;
}
