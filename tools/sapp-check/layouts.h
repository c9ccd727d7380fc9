/*
 * Layouts: every way to lay the layers over the stages. With one chunk a stage they are runs in the model's order; with
 * several, what each stage may hold in its chunks, all layers placed, in any order: so there are more layouts than
 * plans. What a plan below the claim cannot have is dropped: what does not fit, what keeps a stage busy for too long,
 * and what paths through the operations show. A path is no longer than the step of the plan that it is taken in, so
 * neither is a mean of paths; that is a sum over the stages of their layers' times, whose least is found by dynamic
 * programming over stages and layers placed.
 */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include "columns.h"

struct path {			/* how often it has each piece's operations, and crosses the boundary behind a stage */
	int *forwards, *backwards;	/* [pieces] */
	int *crossings;			/* [stages] */
	int last;		/* the stage on which it ends */
};

struct layouts {
	const struct question *question;
	struct columns columns;
	mpz_t *cost;		/* [holds], scratch */
	mpz_t *least;		/* [cells], of a cell's columns, then of what the layouts have besides them */
	bool *is;		/* the same: there is such a column, such a layout */
	mpz_t *before, *after;	/* [stages + 1][layers + 1], least sums */
	bool *reached, *reaches;	/* the same: there is a way from the first layer, to the last */
};

/* A mean of paths, and what each layer of a body is worth wherever it is: that is taken off and added again. */
struct mean_of_paths {
	int n;
	const struct path **path;
	const int *weight;
	const double *price;	/* [bodies], ms; NULL: 0 */
};

/* False: there are too many columns to list. */
bool layouts_open(struct layouts *, const struct question *);
void layouts_free(struct layouts *);
/*
 * ALIVE[columns]: those that are left. Drop those of no layout with which the mean is below the claim. LEAST is that of
 * all layouts, over all weights. False: no layout is left.
 */
bool layouts_drop(struct layouts *, unsigned char *alive, const struct mean_of_paths *, mpq_t least);
/* Drop columns that are in no layout at all; false: there is none. */
bool layouts_any(struct layouts *, unsigned char *alive);

/*
 * What layouts are divided by: layers of a piece; those before it; its layers' backward, ms; or whether the last layer
 * of a body, and of those before that, is in it at the latest.
 */
enum division_by { BY_LAYERS, BY_FIRST, BY_BACKWARD, BY_BORDER };
/* Keep the columns with which it is at most MOST, or where ABOVE more; of the border MOST is the body. */
void layouts_keep(const struct layouts *, unsigned char *alive, int stage, int chunk, enum division_by, double most,
    bool above);

#endif
