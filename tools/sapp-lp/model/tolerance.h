/*
 * Tolerances: the deviations granted to plans, for which proofs must allow. Before a bound is printed, proved_bound()
 * subtracts everything that rounding and these tolerances may have added.
 */
#ifndef TOLERANCE_H
#define TOLERANCE_H

/* Maximum MB by which a peak may exceed its limit in a plan that fits. */
#define MEMORY_SLACK 1e-7
/*
 * Relative difference of activations up to which mixes count as equal, because they are sums of the same terms in
 * another order.
 */
#define SAME_ACTIVATION 1e-14
/*
 * Relative tolerance for dropping a setting. It is dropped if another setting is at most as slow in every backward, or
 * costs at most as much in a pricing problem.
 */
#define DOMINATED 1e-12
/* Relative distance to the best known step at which branch and bound closes a node. */
#define CLOSED 5e-10
/* Maximum gap of a plan with status "optimal". */
#define OPTIMAL_GAP 1e-9

struct problem;

/*
 * Return the MB that no stage of a fitting plan can exceed, for any order of summation. A proof must count this memory
 * as fitting. It exceeds the limit and MEMORY_SLACK by rounding and by mixes that count as equal.
 */
double proof_limit(const struct problem *, int stage);

/*
 * Return the MB by which a proof that limits are too low may differ from a plan that fits them. The reason: a proof
 * grants every stage proof_limit().
 */
double excess_close(const struct problem *);

/*
 * Return a number that is not above the exact value of a computed SUM. TERMS additions and products, of numbers whose
 * absolute values add up to MAGNITUDE, lose at most TERMS half units in the last place of MAGNITUDE (Higham 2002,
 * section 4.2).
 */
double rounded_down(double sum, double magnitude, double terms);

/*
 * Return SUM, ms, as a valid lower bound (arguments as for rounded_down()). Subtracts the rounding of SUM, the rounding
 * of the simulated step it is compared with, and the possible gain from dropped settings.
 */
double proved_bound(const struct problem *, double sum, double magnitude, double terms);

#endif
