/* Factors: what sizes of a run are made of, and which powers of them explain numbers of several runs. */
#ifndef FACTOR_H
#define FACTOR_H

#include <stdbool.h>

enum factor { FACTOR_TP, FACTOR_CP, FACTOR_EP, FACTOR_MBS, FACTOR_SEQ, FACTOR_EXPERTS, FACTORS };
extern const char *const factor_names[FACTORS];

struct power {			/* value times the factors to their exponents, -1, 0 or 1 */
	int exponent[FACTORS];
	double value, added;	/* ADDED to the product; 0 unless it is no product alone */
	double error;		/* the most that a number is off, relative */
};

enum told { TOLD_ONE, TOLD_SEVERAL, TOLD_NONE };

struct tolerance {
	double share;		/* of a number that it may be off */
	double slack;		/* and this much besides */
};

/*
 * Numbers V [n] of runs whose factors are X [n]. TOLD_ONE: of all products that explain them, the one of fewest factors
 * is in *POWER, or, if there is none, a number and a product of one factor that has three values while all else is
 * equal. TOLD_SEVERAL: as few factors explain them in several ways; UNSURE [FACTORS] are those that differ. Factors
 * with one value in all runs count as exponent 0.
 */
enum told factors_explain(int n, const double v[], const double (*x)[FACTORS], struct tolerance, struct power *,
    bool unsure[FACTORS]);
/* How far *POWER, whose value it sets, is off at most, relative. */
double factors_error(int n, const double v[], const double (*x)[FACTORS], struct power *);

#endif
