/*
 * Knapsack: the choices that the chunks of a stage have, for its cheapest pattern: see cheapest.h.
 */
#ifndef KNAPSACK_H
#define KNAPSACK_H

#include "alternatives.h"
#include "cheapest.h"

struct part {			/* of a chunk: an alternative that the node's bounds allow */
	const struct alternative *alternative;
	const struct front *front;
	int first, end;		/* mixes */
	int layers;
	double cost;		/* ms, without the mix */
};

struct choice {			/* a part and one of its mixes */
	double reduced;		/* ms */
	double cost, memory;	/* ms: see choice_cost(), completions_memory() */
	int part, mix;
};

struct knapsack {
	const struct problem *p;
	const struct rows *rows;
	int stage, chunks, nrows;	/* rows of memory */
	struct range total;		/* of layers, within 0 and all that there are */
	bool bounded;			/* that says something */
	int n[CHUNKS_MAX];
	struct part *part[CHUNKS_MAX];	/* [chunks][n] */
	double worth[CHUNKS_MAX];	/* visits of backwards */
	double *room;			/* [nrows], MB */
	double *multiplier;		/* [nrows + 1] */
	double scale;			/* ms, about what all backwards cost, */
	double magnitude;		/* and terms of sums of costs at most */
	double bound;			/* ms, the best of the Lagrangian, by multiplier */
	int items[CHUNKS_MAX];
	struct choice *item[CHUNKS_MAX];	/* [chunks][items], the least reduced cost first */
	struct labels *labels;
	struct completions *completions;
	double most;			/* ms, the cost of patterns that are looked at, at most, */
	double least, within;		/* the Lagrangian's bound, and by how much that exceeds it */
	bool more;			/* there may be patterns that cost more */
	double best;			/* ms, of the pattern found */
	int tries;
	struct cheapest *out;
};

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
