/*
 * Layouts: every way to place the layers on the stages. With one chunk per stage these are runs in model order; with
 * several, contents of each stage's chunks with all layers placed in any order, a superset of the plans. Drops what no
 * plan below the claim can have: what does not fit, what keeps a stage busy too long, and what paths exclude. A path is
 * not longer than its plan's step, so neither is a mean of paths; that is a sum over stages of layer times, minimised
 * by dynamic programming over stages and layers placed.
 */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "columns.h"

struct layout_path {	/* visits of each piece's operations, and crossings of the boundary after each stage */
	int *forwards, *backwards;	/* [pieces] */
	int *crossings;			/* [stages] */
	int last;		/* the last stage of the path */
};

struct layouts {
	const struct check_question *question;
	struct columns columns;
	mpz_t *cost;		/* [holds], buffer */
	mpz_t *least;		/* [cells], least cost of a cell's columns, then of the rest of its layouts */
	bool *is;		/* whether such a column, such a layout exists */
	mpz_t *before, *after;	/* [stages + 1][layers + 1], least sums */
	bool *reached, *reaches;	/* whether a way from the first layer, to the last exists */
};

/* A mean of paths, with a price per layer of a body on any piece: subtracted, and added again. */
struct mean_of_paths {
	int n;
	const struct layout_path **path;
	const int *weight;
	const double *price;	/* [bodies], ms; NULL: 0 */
};

/* Open the layouts of a question. Return false if the columns are too many to list. */
bool layouts_open(struct layouts *, const struct check_question *);
void layouts_free(struct layouts *);
/*
 * ALIVE[columns]: remaining columns. Drop columns that are in no layout with a mean below the claim. LEAST: minimum
 * over all layouts, divided by the weights. Return false if no layout is left.
 */
bool layouts_drop(struct layouts *, unsigned char *alive, const struct mean_of_paths *, mpq_t least);
/* Drop columns in no layout. Return false if no layout is left. */
bool layouts_any(struct layouts *, unsigned char *alive);

/*
 * Values that divide layouts: layers of a piece; layers before it; its layers' backward, ms; whether a body's layers,
 * and all before, end in this piece or earlier.
 */
enum division_by { BY_LAYERS, BY_FIRST, BY_BACKWARD, BY_BORDER };
/* Keep columns with a value of at most MOST, or with ABOVE more; for a border MOST is the body. */
void layouts_keep(const struct layouts *, unsigned char *alive, int stage, int chunk, enum division_by, double most,
    bool above);

#endif
