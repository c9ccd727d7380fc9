/* Factors of the sizes of a run, and the products of their powers that explain numbers of several runs. */
#ifndef FACTOR_H
#define FACTOR_H

#include "lib/record/training_run.h"

enum factor { FACTOR_TP, FACTOR_CP, FACTOR_EP, FACTOR_MBS, FACTOR_SEQ, FACTOR_EXPERTS, FACTORS };
extern const char *const factor_names[FACTORS];

struct power {			/* value times the factors to exponents -1, 0 or 1 */
	int exponent[FACTORS];
	double value, added;	/* ADDED: a constant added to the product, or 0 */
	double error;		/* maximum relative error of a number */
};

enum told { TOLD_ONE, TOLD_SEVERAL, TOLD_NONE };

/* ln 1.25: rows of experts are uneven by some per cent. */
#define MARGIN_ROUTED 0.22314355131420976

/*
 * Explain numbers V [n] of runs with factors X [n]. TOLD_ONE: *POWER is the matching product of fewest factors, or else
 * a constant plus a product of the only possible factor, which has three values. TOLD_SEVERAL: several products of
 * equally few factors match; UNSURE [FACTORS] marks those that differ. Factors with one value in all runs get exponent
 * 0. Numbers are exact, or off by at most SLACK.
 */
enum told factors_explain(int n, const double v[], const double (*x)[FACTORS], double slack, struct power *,
    bool unsure[FACTORS]);
/* Get the factors of a run; unset ones count as 1. */
void factors_of_run(const struct training_run *, double x[FACTORS]);
/* Get the factors with more than one value. */
void factors_vary(int n, const double (*x)[FACTORS], bool varies[FACTORS]);
/*
 * Reduce UNSURE to the factors that V [n] may depend on. A factor is removed if V has equal numbers at different values
 * of it. If none remains, keep all.
 */
void factors_suspect(int n, const double v[], const double (*x)[FACTORS], bool unsure[FACTORS]);
/*
 * Return the maximum difference, as a logarithm, of two products with exponents that differ by DELTA, over the runs
 * relative to the first. Return 0 if no run distinguishes the products.
 */
double factors_apart(int n, const double (*x)[FACTORS], const int delta[FACTORS]);
/*
 * Return the minimum of factors_apart() over all products of factors that vary or are ASKED for. Above 0 the runs
 * determine exponents of exact numbers; from MARGIN_ROUTED also those of experts' rows. UNSURE: factors that differ in
 * the closest pair. Return INFINITY if no factor is asked for.
 */
double factors_margin(int n, const double (*x)[FACTORS], const bool asked[FACTORS], bool unsure[FACTORS]);
/* Advance DELTA, over the factors in MOVES, from all -MOST to all MOST; false after the last. */
bool factors_next(int delta[FACTORS], const bool moves[FACTORS], int most);
/* Set the value of *POWER and return its maximum relative error. */
double factors_error(int n, const double v[], const double (*x)[FACTORS], struct power *);

#endif
