/*
 * Tolerances: what plans are granted, and proofs must allow for. Before printing a bound, proved_bound() subtracts
 * everything that rounding and these tolerances may have added.
 */
#ifndef TOLERANCE_H
#define TOLERANCE_H

/* Maximum excess of a peak in a plan that fits, MB. */
#define MEMORY_SLACK 1e-7
/* Relative difference of activations up to which mixes count as equal: sums of the same terms in another order. */
#define SAME_ACTIVATION 1e-14
/*
 * Relative tolerance for dropping a setting whose every backward time is at least that of another, or whose cost under
 * prices of a pricing problem is not lower.
 */
#define DOMINATED 1e-12
/* Relative distance to the best known step at which a node of branch and bound is closed. */
#define CLOSED 5e-10
/* "optimal": relative distance within which no plan is shorter. */
#define OPTIMAL_GAP 1e-9

struct problem;

/*
 * Return the MB that no stage of a fitting plan can exceed, for any order of summation: what a proof must count as
 * fitting. Exceeds the limit and MEMORY_SLACK by rounding and by mixes that count as equal.
 */
double proof_limit(const struct problem *, int stage);

/*
 * Return the MB within which a proof that limits are too low and a plan that fits them agree: a proof grants all limits
 * as much as proof_limit().
 */
double excess_close(const struct problem *);

/*
 * Return a number below the exact value of a sum computed as SUM: TERMS additions and products of numbers with absolute
 * values adding up to MAGNITUDE lose at most TERMS half units in the last place of that (Higham 2002, section 4.2).
 */
double rounded_down(double sum, double magnitude, double terms);

/*
 * Return SUM, ms, as a valid lower bound (arguments as for rounded_down()): minus its rounding, the rounding of the
 * simulated step it is compared with, and what dropped settings could gain.
 */
double proved_bound(const struct problem *, double sum, double magnitude, double terms);

#endif
