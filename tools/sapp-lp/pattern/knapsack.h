/* Knapsack: problem and state of the search for a stage's cheapest pattern, shared by the files of cheapest.h. */
#ifndef KNAPSACK_H
#define KNAPSACK_H

#include "alternatives.h"
#include "cheapest.h"

struct knapsack_part {			/* of a chunk: an alternative within the node's bounds */
	const struct alternative *alternative;
	const struct front *front;
	int first, end;		/* allowed mixes of the front: up to before END */
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
	int stage, chunks, nrows;	/* rows of memory */
	struct range total;		/* range of the pattern's layers, within 0 and the layers of the model */
	bool bounded;			/* the range is restrictive */
	int n[CHUNKS_MAX];
	struct knapsack_part *part[CHUNKS_MAX];	/* [chunks][n] */
	double worth[CHUNKS_MAX];	/* visits of backwards */
	double *room;			/* [nrows], MB */
	double *multiplier;		/* [nrows + 1]: see cheapest.h */
	double scale;			/* ms, cost of all backwards at their slowest */
	double magnitude;		/* ms, bound on the sum of absolute terms of a pattern's cost */
	double bound;			/* ms, best Lagrangian value, from multiplier */
	int items[CHUNKS_MAX];
	struct knapsack_choice *item[CHUNKS_MAX];	/* [chunks][items], within the width, by reduced cost */
	struct labels *labels;
	struct completions *completions;
	double most;			/* ms, maximum cost of patterns searched: end of the width */
	double least, within;		/* ms, the Lagrangian's bound; most minus that */
	bool more;			/* dropped labels or choices may lead to patterns above most */
	double best;			/* ms, cost of the best pattern found */
	int tries;			/* remaining: see struct cheapest */
	struct cheapest *out;
};

/* Return the ms of a MB of a chunk's activations under the multipliers. */
static inline double
per_mb(const struct knapsack *k, int chunk, const double *multiplier)
{
	double sum = 0;

	for (int r = 0; r < k->nrows; r++)
		sum += multiplier[r] * k->rows->live[r * k->chunks + chunk];
	return sum;
}

/* Return the ms that a choice adds to the cost; the MB it adds to a row of memory. */
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
