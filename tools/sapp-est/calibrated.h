/* The figures that -calibrate fits, on unbounded scales: fractions as log odds, others as logarithms. */
#ifndef CALIBRATED_H
#define CALIBRATED_H

#include "lib/estimate/measured.h"
#include "lib/record/cluster.h"

enum { FIGURE_NETWORK = 3, FIGURE_DISPATCH = 8, FIGURE_FRACTIONS = 10, FIGURE_LAUNCH = 11, FIGURE_EXPERT = 12,
	FIGURE_COMMON = 13, FIGURE_GAP = 14, FIGURE_SUSTAIN = 15, FIGURES = 16 };
/* larger than for other figures, because runs that agree may change all speeds together */
#define PRIOR_COMMON 2

/*
 * The data that are fitted: a cluster with its own fractions of dispatch, and the measurements with their table of
 * operators.
 */
struct calibrated {
	struct cluster c;
	double dispatch[2];
	struct measured m;
	bool nodes;		/* whether some run has links between nodes */
};

extern const char *const figure_names[FIGURES];
/* [FIGURES], whether the figure applies only to links between nodes. */
extern const bool figure_between_nodes[FIGURES];

/* Return the expected change of FIGURE, on its own scale. It is also the maximum change. */
double figure_prior(int figure);
/* Return the weight of a squared change of FIGURE. */
double figure_weight(int figure);
/* Get the addresses of the figures; NULL if absent. With a table of operators, only its own figures are changed. */
void calibrated_places(struct calibrated *, double *at[FIGURES]);
/* Get the figures, each on its own scale. */
void calibrated_get(const struct calibrated *, double z[FIGURES]);
/* Set the figures in FREE_ONES to Z, starting from a copy of BEFORE. The other figures stay exactly the same. */
void calibrated_set(struct calibrated *, const struct calibrated *before, const double z[FIGURES],
    const bool free_ones[FIGURES]);
void calibrated_copy(struct calibrated *to, const struct calibrated *from);

#endif
