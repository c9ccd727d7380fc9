/*
 * Master problem: the relaxation tightened by Dantzig-Wolfe decomposition (1960) with a block per stage: a stage takes
 * a convex combination of whole settings of its patterns instead of fractional layers. Columns (settings) are generated
 * by pricing, rows (paths) by simulation.
 *
 * The bound is not the programme's value but the Lagrangian bound, patterns_price(), of its multipliers, a mean of
 * paths and prices of layers: valid in every round, regardless of solver tolerances.
 */
#ifndef MASTER_H
#define MASTER_H

#include "sapp-lp/pattern/node_bounds.h"
#include "programme.h"

struct mastered {
	double bound;		/* ms, below every plan of the patterns; INFINITY: no plan */
	struct visits weight;	/* mean of paths that proves it, */
	double *price;		/* and prices of layers, [bodies], ms, with several chunks */
	struct subset paths, columns;	/* for the next programme to start with */
	struct spread {		/* of a value over the columns that the solution combines */
		double mean, spread;	/* spread: mean deviation */
		double least, most;
	} *total, *layers;	/* [stages] and [pieces], of layers; NULL: no programme solved */
	struct spread *backward, *gradient;	/* [pieces], of ms; NULL: no programme solved */
	double *body;		/* [pieces][bodies], mean number of layers */
	double work;		/* about ns of processor time, of all rounds: counted, hence reproducible */
	bool converged;		/* further rounds would not raise the bound */
	double step_time;	/* ms, of the best plan found; INFINITY: none */
	struct candidate plan;	/* the plan of that step */
};

/* When to end generation, unless the bound reaches the horizon. */
struct generation {
	int rounds;		/* maximum number */
	double close;		/* end when the relative distance of value and bound is below this */
	double slow;		/* end when some rounds gained less than this fraction of the gap to the horizon */
	double enough;		/* ms, end when the bound reaches this */
	double horizon;		/* ms: only shorter plans matter */
	double deadline;	/* s of clock.h */
};

/*
 * Solve, starting with the bound of WEIGHT and LAYER_PRICE and with PATHS and COLUMNS of the pool. Reduced-cost fixing
 * drops patterns of no plan shorter than the horizon.
 */
struct mastered master_solve(struct column_pool *, struct patterns *, const struct visits *weight,
    const double *layer_price, const struct subset *paths, const struct subset *columns, const struct generation *);
void mastered_free(struct mastered *);

#endif
