/*
 * Layer prices: the costs for layout_dp.h, in ms per layer of each body in each piece. They follow from the visits of a
 * mean of paths and the prices of memory. A layer takes its cheapest kind of recomputation. If a sharpness is given,
 * the layer takes a mixture of kinds instead, with larger weight on cheaper kinds (a Gibbs distribution).
 */
#ifndef LAYER_PRICES_H
#define LAYER_PRICES_H

#include "sapp-lp/model/problem.h"

/* Prices of memory in a piece, ms per MB, by purpose. */
struct tariff {
	/* price of parameters in the pipeline; price of memory in use at a moment outside the pipeline */
	double parameter, floor;
	/* prices of activations, of memory kept for W, of memory in use only while the piece runs */
	double live, held, running;
};

/* Return the prices of a piece's memory. PRICE[rows]: ms per MB in the rows of the piece's stage. */
struct tariff tariff_of(const struct problem *, int piece, const double *price);

struct layer_prices {
	const struct problem *p;
	int rows, *first_row;		/* total number of memory rows; [stages], index of each stage's first row */
	double *price;			/* [pieces][bodies], ms, pieces in model order */
	/* [pieces][bodies], times of a layer in its mixture of kinds, if a sharpness was given */
	struct times *time;
	double *activation, *kept;	/* [pieces][bodies], MB of a layer in its mixture of kinds */
};

struct layer_prices layer_prices_new(const struct problem *);
void layer_prices_free(struct layer_prices *);
/*
 * Compute all prices from PATHS and ROW_PRICE[rows], ms per MB. SHARPNESS 0: each layer takes its cheapest kind.
 * Otherwise a kind that costs 1 ms more has exp(-SHARPNESS) times the weight. Return an upper bound (ms) on the sum of
 * absolute terms in the price of any layout.
 */
double layer_prices_set(struct layer_prices *, const struct visits *paths, const double *row_price, double sharpness);
/*
 * Get COST[slots], ms, and MEMORY[rows], MB, of the mean of layouts MEAN[pieces][bodies] with these mixtures of kinds.
 */
void layer_prices_measure(const struct layer_prices *, const double *mean, double *cost, double *memory);

#endif
