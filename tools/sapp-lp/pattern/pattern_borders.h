/*
 * Pattern borders: in which pieces the kinds of layers can meet in plans made of the patterns.  When a piece is chosen
 * for each border, the kinds that each piece may hold are fixed, and any patterns of these are in the model's order:
 * dynamic programming over the stages, with the layers placed of each kind as state, finds whether there is a plan.
 * Where memory is scarce few of the choices have one.
 */
#ifndef PATTERN_BORDERS_H
#define PATTERN_BORDERS_H

#include "sapp-lp/bound/borders.h"
#include "patterns.h"

struct pattern_borders {
	bool known;		/* false: any choice may have a plan; they are too many to look at, or most have one */
	int borders, n;
	int *at;		/* [n][borders], the choices that may have a plan, as positions of pieces */
};

/* Those of the patterns; from their deadline on any choice is kept. Patterns that are in none of them are dropped. */
struct pattern_borders pattern_borders_new(struct patterns *);
void pattern_borders_free(struct pattern_borders *);
/*
 * Shrink the ranges of BORDER[borders] to the choices within them; false: there is none, and so no plan of the patterns
 * within the ranges.
 */
bool pattern_borders_shrink(const struct pattern_borders *, struct range *border);

/*
 * Whether no plan fits limits raised by RAISE MB, of a problem with the contents that do. True is a proof; false says
 * nothing: for one chunk a stage or one body, with too many patterns, or at DEADLINE (s of clock.h).
 */
bool pattern_borders_none(const struct problem *, double raise, double deadline);

#endif
