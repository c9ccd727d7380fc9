/*
 * Knapsack: the problem and the state of the search for a stage's cheapest pattern, shared by the files of cheapest.h.
 */
#ifndef KNAPSACK_H
#define KNAPSACK_H

#include "alternatives.h"
#include "cheapest.h"

struct part {			/* of a chunk: an alternative that the node's bounds allow */
	const struct alternative *alternative;
	const struct front *front;
	int first, end;		/* of the front's mixes, those allowed: up to before END */
	int layers;
	double cost;		/* ms, without the mix */
};

struct choice {			/* a part and one of its mixes */
	double reduced;		/* ms, reduced cost with memory and layers paid for */
	double cost, memory;	/* ms: see choice_cost(), completions_memory() */
	int part, mix;
};

struct knapsack {
	const struct problem *p;
	const struct rows *rows;
	int stage, chunks, nrows;	/* rows of memory */
	struct range total;		/* of the pattern's layers, within 0 and those of the model */
	bool bounded;			/* that range allows less than any number */
	int n[CHUNKS_MAX];
	struct part *part[CHUNKS_MAX];	/* [chunks][n] */
	double worth[CHUNKS_MAX];	/* visits of backwards */
	double *room;			/* [nrows], MB */
	double *multiplier;		/* [nrows + 1]: see cheapest.h */
	double scale;			/* ms, cost of all backwards at their slowest */
	double magnitude;		/* ms, bound on the sum of the terms of a pattern's cost, without their signs */
	double bound;			/* ms, the Lagrangian's best value, by multiplier */
	int items[CHUNKS_MAX];
	struct choice *item[CHUNKS_MAX];	/* [chunks][items], those in the width, the least reduced cost first */
	struct labels *labels;
	struct completions *completions;
	double most;			/* ms, patterns up to this cost are sought: the end of the width */
	double least, within;		/* ms, the Lagrangian's bound, and most less that */
	bool more;			/* labels or choices were left aside that may lead to patterns above most */
	double best;			/* ms, cost of the best pattern found */
	int tries;			/* left: see struct cheapest */
	struct cheapest *out;
};

/* ms that the multipliers make of a MB of a chunk's activations. */
static inline double
per_mb(const struct knapsack *k, int chunk, const double *multiplier)
{
	double sum = 0;

	for (int r = 0; r < k->nrows; r++)
		sum += multiplier[r] * k->rows->live[r * k->chunks + chunk];
	return sum;
}

/* ms that a choice adds to the cost, and MB to a row of memory. */
static inline double
choice_cost(const struct knapsack *k, int chunk, const struct choice *c)
{
	const struct part *part = &k->part[chunk][c->part];

	return part->cost + k->worth[chunk] * part->front->backward[c->mix];
}

static inline double
choice_memory(const struct knapsack *k, int chunk, int row, const struct choice *c)
{
	const struct part *part = &k->part[chunk][c->part];

	return part->alternative->fixed[row] + k->rows->live[row * k->chunks + chunk] * part->front->activation[c->mix];
}

#endif
