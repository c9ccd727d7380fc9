/* Factors are the sizes and degrees of a run. Products of their powers explain how a number changes from run to run. */
#ifndef FACTOR_H
#define FACTOR_H

#include "lib/record/training_run.h"

enum factor { FACTOR_TP, FACTOR_CP, FACTOR_EP, FACTOR_MBS, FACTOR_SEQ, FACTOR_EXPERTS, FACTORS };
extern const char *const factor_names[FACTORS];

struct power {			/* VALUE times the product of all factors, each to an exponent of -1, 0 or 1 */
	int exponent[FACTORS];
	double value, added;	/* ADDED: constant added to the product; 0: none */
	double error;		/* maximum relative error over the explained numbers */
};

enum told { TOLD_ONE, TOLD_SEVERAL, TOLD_NONE };

/* ln 1.25, since the numbers of rows per expert differ by some per cent. */
#define MARGIN_ROUTED 0.22314355131420976

/*
 * Explain the numbers V [n] of runs by their factors X [n].
 *
 * TOLD_ONE: *POWER is the only matching product of fewest factors. If no product matches, it is the only matching sum
 * of a constant and a product of one factor with three values. TOLD_SEVERAL: several products with that few factors
 * match; UNSURE marks the factors in which they differ. TOLD_NONE: nothing matches.
 *
 * A factor with a single value in all runs gets exponent 0. Numbers match if they are off by at most SLACK.
 */
enum told factors_explain(int n, const double v[], const double (*x)[FACTORS], double slack, struct power *,
    bool unsure[FACTORS]);
/* Get the factors of a run. An unset factor is 1. */
void factors_of_run(const struct training_run *, double x[FACTORS]);
/* Set VARIES for each factor that has more than one value. */
void factors_vary(int n, const double (*x)[FACTORS], bool varies[FACTORS]);
/*
 * Set UNSURE for the factors on which V [n] may depend. A factor is excluded if two equal numbers have different values
 * of it. If this excludes all factors, include all factors that vary.
 */
void factors_suspect(int n, const double v[], const double (*x)[FACTORS], bool unsure[FACTORS]);
/*
 * Return how well the runs distinguish two products whose exponents differ by DELTA: the maximum logarithmic
 * difference, relative to the first run. Return 0 if they do not distinguish them.
 */
double factors_apart(int n, const double (*x)[FACTORS], const int delta[FACTORS]);
/*
 * Return the minimum of factors_apart() over all products of factors that vary or are ASKED for. Above 0, the runs
 * determine the exponents of exact numbers. From MARGIN_ROUTED on, they also determine the exponents of numbers of rows
 * per expert. UNSURE: set for the factors that differ in the closest pair of products. Return INFINITY if no factor is
 * asked for.
 */
double factors_margin(int n, const double (*x)[FACTORS], const bool asked[FACTORS], bool unsure[FACTORS]);
/*
 * Advance DELTA to the next combination from -MOST to MOST for the factors in MOVES, starting from all -MOST. Return
 * false after the last combination.
 */
bool factors_next(int delta[FACTORS], const bool moves[FACTORS], int most);
/* Set the value of *POWER from the numbers V. Return the maximum relative error. */
double factors_error(int n, const double v[], const double (*x)[FACTORS], struct power *);

#endif
