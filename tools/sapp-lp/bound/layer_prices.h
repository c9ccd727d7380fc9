/*
 * Layer prices: the costs of layout_dp.h: of a layer of each body in each piece, ms, by the visits of a mean of paths
 * and the prices of memory.  A layer takes its cheapest kind of recomputation, or, with a sharpness, a mixture of its
 * kinds in which cheaper ones have more weight (a Gibbs distribution).
 */
#ifndef LAYER_PRICES_H
#define LAYER_PRICES_H

#include "sapp-lp/model/problem.h"

/* ms that a MB costs in a piece, by what it is. */
struct tariff {
	double parameter, floor;	/* of parameters; of what layers take at another moment than the pipeline's */
	double live, held, running;	/* of an activation; of what waits for its W; of what is there while it runs */
};

/* PRICE[rows]: ms per MB in the rows of the piece's stage. */
struct tariff tariff_of(const struct problem *, int piece, const double *price);

struct layer_prices {
	const struct problem *p;
	int rows, *first_row;		/* of memory, in all; [stages], each stage's first */
	double *price;			/* [pieces][bodies], ms, pieces in the model's order */
	struct times *time;		/* the same, of a layer in its mean kind, if a sharpness was given, */
	double *activation, *kept;	/* and MB */
};

struct layer_prices layer_prices_new(const struct problem *);
void layer_prices_free(struct layer_prices *);
/*
 * All prices by PATHS and ROW_PRICE[rows], ms per MB. SHARPNESS 0: by the cheapest kinds; else a kind that costs 1 ms
 * more has exp(-SHARPNESS) times the weight. Returns an upper bound on the absolute terms of any layout's price, ms.
 */
double layer_prices_set(struct layer_prices *, const struct visits *paths, const double *row_price, double sharpness);
/* COST[slots], ms, and MEMORY[rows], MB, of a MEAN[pieces][bodies] of layouts in mean kinds. */
void layer_prices_measure(const struct layer_prices *, const double *mean, double *cost, double *memory);

#endif
