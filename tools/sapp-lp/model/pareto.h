/*
 * Pareto fronts: for given layers, the mixes of recomputation that no other mix beats in both activation memory and
 * backward time. A long front is thinned to a spread selection that includes both ends.
 */
#ifndef PARETO_H
#define PARETO_H

#include "lib/model/network.h"
#include "mix.h"

struct pareto_front {
	int n;
	bool thinned;		/* some mixes were dropped */
	/*
	 * [n], activation descending; backward ascending, except if a mix with less activation may be faster: see
	 * pareto_new()
	 */
	struct mix *mix;
	short *count;		/* storage of all mixes' counts */
};

void pareto_front_free(struct pareto_front *);

struct pareto {			/* builder of fronts; not thread-safe */
	const struct network *net;
	int kinds;		/* number of kinds */
	double most;		/* maximum size of thinned fronts; default tuning.front_mixes */
	/* The mixes that recomputation lists can express: see struct nesting. Without lists: one chain of one level. */
	int chains, levels[CHAINS_MAX];
	unsigned level[CHAINS_MAX][RECOMPUTE_KINDS];
	struct body_fronts *by_layers;	/* [bodies], built on demand */
};

/*
 * Create a builder. MOST: number of layers of the longest run. LISTED: build only mixes that lists of the training YAML
 * can express. Kinds may differ in the weight gradient part of a backward, or in the memory kept for this part. Then a
 * mix that is better in one of the two is not dropped.
 */
struct pareto pareto_new(const struct network *, int most, bool listed);
void pareto_free(struct pareto *);
/* Return the front of BODY[bodies] layers of each body. */
struct pareto_front pareto_make(struct pareto *, const int *body);
/* Weights of a mix's memory and times. The worth of a mix is the weighted sum. */
struct rates {
	double mb;		/* weight of activation, nonnegative */
	double ms;		/* weight of backward, nonnegative */
	double gradient;	/* weight of mix.gradient, at least -ms */
	double kept;		/* weight of mix.kept, nonnegative; 0 unless mixes of the front have such memory */
};

/*
 * Return the least worth of all mixes, including mixes dropped from a thinned front, or INFINITY if no mix exists.
 * Ignores the time that backwards wait for the offloading link.
 */
double pareto_least(const struct pareto *, const int *body, struct rates);
/*
 * Get the least worth of all runs that begin with one layer: LEAST[I] is for the run of I + 1 layers, whose bodies are
 * KIND[N], ascending. Omits indices below FROM.
 */
void pareto_least_runs(const struct pareto *, const int *kind, int from, int n, struct rates, double *least);
/*
 * Return a lower bound on the backward, ms, of all mixes with activations of at most ROOM MB, or INFINITY if no such
 * mix exists.
 */
double pareto_floor(const struct pareto *, const int *body, double room);

#endif
