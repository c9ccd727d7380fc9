/* Factors: what sizes of a run are made of, and which powers of them explain numbers of several runs. */
#ifndef FACTOR_H
#define FACTOR_H

#include "lib/record/training_run.h"

enum factor { FACTOR_TP, FACTOR_CP, FACTOR_EP, FACTOR_MBS, FACTOR_SEQ, FACTOR_EXPERTS, FACTORS };
extern const char *const factor_names[FACTORS];

struct power {			/* value times the factors to their exponents, -1, 0 or 1 */
	int exponent[FACTORS];
	double value, added;	/* ADDED to the product; 0 unless it is no product alone */
	double error;		/* the most that a number is off, relative */
};

enum told { TOLD_ONE, TOLD_SEVERAL, TOLD_NONE };

/* ln 1.25: rows of experts are uneven by some per cent. */
#define MARGIN_ROUTED 0.22314355131420976

struct tolerance {
	double share;		/* of a number that it may be off */
	double slack;		/* and this much besides */
};

/*
 * Numbers V [n] of runs whose factors are X [n]. TOLD_ONE: of all products that explain them, the one of fewest factors
 * is in *POWER, or, if there is none, a number and a product of the only factor that can say so and has three values.
 * TOLD_SEVERAL: as few factors explain them in several ways; UNSURE [FACTORS] are those that differ. Factors
 * with one value in all runs count as exponent 0.
 */
enum told factors_explain(int n, const double v[], const double (*x)[FACTORS], struct tolerance, struct power *,
    bool unsure[FACTORS]);
/* Of a run; what it does not say counts as 1. */
void factors_of_run(const struct training_run *, double x[FACTORS]);
/* Which factors have more than one value. */
void factors_vary(int n, const double (*x)[FACTORS], bool varies[FACTORS]);
/* Those of these that V [n] may follow: no two equal numbers are of runs that differ in it. If none is left: all. */
void factors_suspect(int n, const double v[], const double (*x)[FACTORS], bool unsure[FACTORS]);
/*
 * How far apart two products are at most in these runs, as a logarithm, whose exponents differ by DELTA: 0 where no
 * number of theirs tells them apart. The first run is what others are compared with.
 */
double factors_apart(int n, const double (*x)[FACTORS], const int delta[FACTORS]);
/*
 * The least of these of all products of factors that vary or are ASKED for: above 0, exponents of all exact numbers are
 * told; MARGIN_ROUTED, those of rows of experts, too. UNSURE: factors in which two differ that are nearest. INFINITY:
 * of no factor anything is asked.
 */
double factors_margin(int n, const double (*x)[FACTORS], const bool asked[FACTORS], bool unsure[FACTORS]);
/* The next of all DELTA of the factors in MOVES, from all -MOST to all MOST; false: that was the last. */
bool factors_next(int delta[FACTORS], const bool moves[FACTORS], int most);
/* How far *POWER, whose value it sets, is off at most, relative. */
double factors_error(int n, const double v[], const double (*x)[FACTORS], struct power *);

#endif
