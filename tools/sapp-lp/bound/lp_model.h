/*
 * LP model: the planning problem as a linear programme over counts of layers, n[piece][body][kind].
 *
 *   minimise z              ms, the step time
 *   z >= path(n)            for every path through the operations, linear in the counts
 *   memory(n) <= room       for every moment at which a stage can peak, MB
 *   sum of n = layers       of each body;  >= the fewest in each piece
 *
 * The paths are far too many to list: rows are added for those that are found to matter.
 */
#ifndef LP_MODEL_H
#define LP_MODEL_H

#include "lib/linear/lp.h"
#include "path_cuts.h"

struct counted {		/* a column: the number of layers of a body on a piece with one kind of recomputation */
	int piece, body, kind;
};

/*
 * Column 1 of the programme is z; count c is column c + 2. Rows, from 1: layers of each body, layers of each piece,
 * memory of each stage, paths.
 */
struct lp_model {
	const struct problem *p;
	struct lp *lp;
	int columns;		/* number of counts */
	struct counted *column;	/* [columns] */
	/* [pieces], index of the column for the ms at pace 1 that a backward waits for the link; 0: none */
	int *wait;
	int rows;		/* number of rows that precede the rows of paths */
	struct path_cuts paths;	/* path i is in row rows + 1 + i */
	double ms, mb;		/* the programme's units of time and memory, in ms and MB */
};

/*
 * Create the programme without paths. SCALED: choose units for which coefficients are about 1; otherwise the units are
 * ms and MB.
 */
void lp_model_open(struct lp_model *, const struct problem *, bool scaled);
void lp_model_close(struct lp_model *);
void lp_model_add(struct lp_model *, const struct visits *);	/* add a row for the path, unless present */

/* Return the constant and a coefficient of a path's row: z >= path_constant + sum of count * path_coefficient, ms. */
double path_constant(const struct problem *, const struct visits *);
double path_coefficient(const struct lp_model *, const struct visits *, int column);
/*
 * Return a coefficient and the right side of a memory row: sum of count * memory_coefficient <= memory_room, MB. ROW is
 * a row of the evaluator.
 */
double memory_coefficient(const struct lp_model *, int stage, int row, int column);
double memory_room(const struct problem *, int stage, int row);
/* Return the times of one layer of a column, ms. */
struct times column_times(const struct lp_model *, int column);

#endif
