/*
 * Tolerances: what plans are granted, and what proofs must allow for.  A bound is printed only after everything that
 * rounding and these tolerances can have added to it was taken off, by proved_bound().
 */
#ifndef TOLERANCE_H
#define TOLERANCE_H

/* A plan fits while no peak exceeds its limit by more, MB. */
#define MEMORY_SLACK 1e-7
/* Mixes whose activations differ by no more, relatively, are taken for one: sums of the same terms in another order. */
#define SAME_ACTIVATION 1e-14
/*
 * A setting whose every backward time is at least that of another, but for so much relatively, is left out; so is one
 * that costs no less under the prices of a pricing problem.
 */
#define DOMINATED 1e-12
/* A node of branch and bound is closed when its bound is within so much, relatively, of the best step known. */
#define CLOSED 5e-10
/* "optimal": no plan is shorter than the one given by more than that, relatively. */
#define OPTIMAL_GAP 1e-9

struct problem;

/*
 * MB that no stage of a plan that fits can exceed, whichever way its peak was summed: what a proof must count as
 * fitting. Larger than the limit and MEMORY_SLACK by what rounding, and mixes taken for one, amount to.
 */
double proof_limit(const struct problem *, int stage);

/*
 * MB between a proof that lower limits do not do and a plan that shows that these do, up to which they say the same: a
 * proof grants all limits as much as proof_limit() does.
 */
double excess_close(const struct problem *);

/*
 * A number below the exact value of a sum that was computed as SUM: TERMS additions and products of numbers whose
 * absolute values add up to MAGNITUDE lose at most TERMS half units in the last place of that (Higham 2002, section
 * 4.2).
 */
double rounded_down(double sum, double magnitude, double terms);

/*
 * What may be called a lower bound, ms: SUM, computed as for rounded_down(), less the rounding in it, in the simulated
 * step that it is compared with, and what settings that were left out as dominated can have been shorter.
 */
double proved_bound(const struct problem *, double sum, double magnitude, double terms);

#endif
