/*
 * Layouts: every way to place the layers on the stages. With one chunk per stage, layouts are runs in model order. With
 * several chunks, they are contents of each stage's chunks that place all layers, in any order: more layouts than plans
 * have.
 *
 * Layouts that no plan below the claim can have are dropped: layouts that do not fit, keep a stage busy too long, or
 * are excluded by paths. No path is longer than the step of its plan, nor is a mean of paths. The mean is a sum over
 * stages of layer times. Dynamic programming over stages and layers placed finds its minimum.
 */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "columns.h"

/* number of visits of each piece's operations, and of crossings of the boundary after each stage */
struct layout_path {
	int *forwards, *backwards;	/* [pieces] */
	int *crossings;			/* [stages] */
	int last;		/* the stage of the path's last operation */
};

struct layouts {
	const struct check_question *question;
	struct columns columns;
	mpz_t *cost;		/* [holds], cost of each hold; buffer */
	mpz_t *least;		/* [cells], least cost of the cell's columns, later of the rest of its layouts */
	bool *is;		/* [cells], whether such a column, or such a layout, exists */
	mpz_t *before, *after;	/* [stages + 1][layers + 1], least sums */
	bool *reached, *reaches;	/* whether a way from the first layer exists, and one to the last */
};

/*
 * A mean of paths, with a price per layer of each body in any piece. The price is subtracted for each layer placed, and
 * added for all layers.
 */
struct mean_of_paths {
	int n;
	const struct layout_path **path;
	const int *weight;
	const double *price;	/* [bodies], ms; NULL: 0 */
};

/* List the layouts of a question. Return false if the columns are too many. */
bool layouts_open(struct layouts *, const struct check_question *);
void layouts_free(struct layouts *);
/*
 * Drop the columns that are in no layout with a mean below the claim. ALIVE[columns]: 1 for columns that are left.
 * LEAST: minimum of the mean over all layouts, divided by the sum of weights. Return false if no layout is left.
 */
bool layouts_drop(struct layouts *, unsigned char *alive, const struct mean_of_paths *, mpq_t least);
/* Drop the columns that are in no layout. Return false if no layout is left. */
bool layouts_any(struct layouts *, unsigned char *alive);

/*
 * Values by which a branch divides layouts. BY_LAYERS: number of layers of a piece; BY_FIRST: number of layers before
 * the piece; BY_BACKWARD: backward of its layers, ms. BY_BORDER: whether the layers of a body, and of all earlier
 * bodies, are in this piece or earlier pieces.
 */
enum division_by { BY_LAYERS, BY_FIRST, BY_BACKWARD, BY_BORDER };
/* Keep only the columns whose value is at most MOST; with ABOVE, only the others. For a border MOST is the body. */
void layouts_keep(const struct layouts *, unsigned char *alive, int stage, int chunk, enum division_by, double most,
    bool above);

#endif
