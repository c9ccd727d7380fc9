/*
 * Master: the relaxation tightened towards whole layers.  Each stage takes a convex combination of whole
 * settings out of the patterns instead of fractions of layers (Dantzig and Wolfe 1960, by stage);
 * columns (settings) and rows (paths) are both generated.
 *
 * The bound does not come from the programme's value but from stage_dp_bound() of the weights it
 * proposes, so it holds at every moment and whatever the solver's tolerances are.
 */
#ifndef MASTER_H
#define MASTER_H

#include "node_bounds.h"
#include "columns.h"

struct subset {			/* of a pool's paths or columns */
	int n;
	int *at;
};

struct mastered {
	double bound;		/* ms: no plan of the patterns is shorter; INFINITY: there is none */
	struct visits weight;	/* that prove it */
	struct subset paths, columns;	/* those that mattered in the last programme */
	struct blend {		/* what a fractional solution mixes: mean, mean distance from it, extremes */
		double mean, apart, least, most;
	} *total, *layers, *backward;	/* [stages], [pieces], [pieces] in ms; NULL: no programme was solved */
	double *body;		/* [pieces][bodies], layers of each body, on average */
	double work;		/* sum over the rounds of rows times columns: about what they take, whatever the clock says */
	bool converged;		/* more rounds would not raise the bound */
	double step_time;	/* ms, of the best whole plan met on the way, INFINITY: none */
	struct candidate plan;	/* that plan */
};

/*
 * Rounds of generation over a patterns, at most ROUNDS, until DEADLINE, the bound reaches HORIZON, or the programme's
 * value is within CLOSE of the bound, relatively. Begins with WEIGHT and the rows and columns named. Dishes that cannot be in a plan shorter than HORIZON are
 * dropped from the patterns on the way.
 */
struct mastered master_solve(struct column_pool *, struct patterns *, const struct visits *weight, const struct subset *paths,
    const struct subset *columns, int rounds, double close, double horizon, double deadline);
void mastered_free(struct mastered *);

#endif
