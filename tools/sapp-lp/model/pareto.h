/*
 * Pareto fronts: of all mixes of recomputation for given layers, those that no other beats in both activation memory
 * and backward time.  A front with too many is thinned to some that are spread over it, always with both ends.
 */
#ifndef PARETO_H
#define PARETO_H

#include "lib/model/network.h"
#include "mix.h"

struct pareto_front {
	int n;
	bool thinned;		/* there may be more than these */
	/* [n], activation descending; backward ascending, unless one with less may be faster: see pareto_new() */
	struct mix *mix;
	short *count;		/* storage of all mixes' counts */
};

void pareto_front_free(struct pareto_front *);

struct pareto {			/* a maker of fronts; not for two threads at a time */
	const struct network *net;
	int kinds;		/* that there are */
	double most;		/* mixes to which a front is thinned, or tuning.front_mixes */
	/* What lists can express: see struct nesting. Without lists there is one chain of one level. */
	int chains, levels[CHAINS_MAX];
	unsigned level[CHAINS_MAX][RECOMPUTE_KINDS];
	struct body_fronts *by_layers;	/* [bodies], made when first needed */
};

/*
 * MOST: layers of the longest run. LISTED: only mixes that the lists of the training YAML can express. Where kinds of
 * recomputation differ in the weights' part of a backward, or in what is kept for it, no mix is left out that is better
 * in one part, or leaves less.
 */
struct pareto pareto_new(const struct network *, int most, bool listed);
void pareto_free(struct pareto *);
/* The front of BODY[bodies] layers of each body. */
struct pareto_front pareto_make(struct pareto *, const int *body);
/* What a mix is worth: sums of factors times its figures. */
struct rates {
	double mb;		/* of activation, not negative */
	double ms;		/* of backward, not negative */
	double gradient;	/* of mix.gradient, not less than -ms */
	double kept;		/* of mix.kept, not negative; 0 unless fronts have it */
};

/*
 * The least worth of all mixes, including those that a thinned front leaves out; the wait for a link is left out.
 * INFINITY: there is no mix.
 */
double pareto_least(const struct pareto *, const int *body, struct rates);
/*
 * The same of the runs that begin with a layer: LEAST[N], that with index I for I + 1 layers, whose bodies are KIND[N],
 * ascending; only those with index FROM and above.
 */
void pareto_least_runs(const struct pareto *, const int *kind, int from, int n, struct rates, double *least);
/* A lower bound on the backward time, ms, of all mixes with activations of at most ROOM MB; INFINITY: there is none. */
double pareto_floor(const struct pareto *, const int *body, double room);

#endif
