/*
 * Knapsack: problem and state of the search for a stage's cheapest pattern, shared by the files that implement
 * cheapest.h.
 */
#ifndef KNAPSACK_H
#define KNAPSACK_H

#include "alternatives.h"
#include "cheapest.h"

struct knapsack_part {			/* an alternative of a chunk, within the node's bounds */
	const struct alternative *alternative;
	const struct front *front;
	int first, end;		/* allowed mixes of the front: from first to before end */
	int layers;
	double cost;		/* ms, without the mix */
};

struct knapsack_choice {			/* a part and one of its mixes */
	double reduced;		/* ms, reduced cost including memory and layers */
	double cost, memory;	/* ms: see choice_cost(), completions_memory() */
	int part, mix;
};

struct knapsack {
	const struct problem *p;
	const struct rows *rows;
	int stage, chunks, nrows;	/* nrows: number of rows of memory */
	/* range of the number of the pattern's layers, between 0 and the layers of the model */
	struct range total;
	bool bounded;			/* whether the range excludes any pattern */
	int n[CHUNKS_MAX];
	struct knapsack_part *part[CHUNKS_MAX];	/* [chunks][n], the parts of each chunk */
	double worth[CHUNKS_MAX];	/* [chunks], visits of backwards */
	double *room;			/* [nrows], MB */
	double *multiplier;		/* [nrows + 1]: see cheapest.h */
	double scale;			/* ms, cost of all backwards in their slowest mixes */
	double magnitude;		/* ms, bound on the sum of absolute terms of a pattern's cost */
	double bound;			/* ms, best Lagrangian bound, attained at multiplier */
	int items[CHUNKS_MAX];
	/* [chunks][items], choices of each chunk within the width, by reduced cost */
	struct knapsack_choice *item[CHUNKS_MAX];
	struct labels *labels;
	struct completions *completions;
	double most;			/* ms, maximum cost of the patterns searched for */
	double least, within;		/* ms, the Lagrangian bound; the width of the search: most - least */
	/* whether dropped labels or choices may lead to patterns that cost more than most */
	bool more;
	double best;			/* ms, cost of the best pattern found */
	int tries;			/* number of remaining tries: see struct cheapest */
	struct cheapest *out;
};

/* Return the ms that a MB of a chunk's activations costs under the multipliers. */
static inline double
per_mb(const struct knapsack *k, int chunk, const double *multiplier)
{
	double sum = 0;

	for (int r = 0; r < k->nrows; r++)
		sum += multiplier[r] * k->rows->live[r * k->chunks + chunk];
	return sum;
}

/* Return the ms that a choice adds to the cost. choice_memory() returns the MB that it adds to a row of memory. */
static inline double
choice_cost(const struct knapsack *k, int chunk, const struct knapsack_choice *c)
{
	const struct knapsack_part *part = &k->part[chunk][c->part];

	return part->cost + k->worth[chunk] * part->front->backward[c->mix];
}

static inline double
choice_memory(const struct knapsack *k, int chunk, int row, const struct knapsack_choice *c)
{
	const struct knapsack_part *part = &k->part[chunk][c->part];

	return part->alternative->fixed[row] + k->rows->live[row * k->chunks + chunk] * part->front->activation[c->mix];
}

#endif
