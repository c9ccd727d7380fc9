/*
 * Pattern borders: the pieces in which bodies can meet in plans made of the patterns. A choice of a piece for each
 * border fixes the bodies that each piece may hold, and patterns within this choice are in model order. Dynamic
 * programming over the stages, with the layers placed of each body as state, finds whether a plan exists. With scarce
 * memory few choices have a plan.
 */
#ifndef PATTERN_BORDERS_H
#define PATTERN_BORDERS_H

#include "sapp-lp/model/borders.h"
#include "patterns.h"

struct pattern_borders {
	bool known;		/* false: any choice may have a plan; too many to check, or most have one */
	int borders, n;
	int *at;		/* [n][borders], choices that may have a plan, as positions of pieces */
};

/* Find the borders of the patterns; after their deadline every choice is kept. Drops patterns that are in no choice. */
struct pattern_borders pattern_borders_new(struct patterns *);
void pattern_borders_free(struct pattern_borders *);
/*
 * Shrink the ranges of BORDER[borders] to the choices within. Return false if none exist: no plan of the patterns is
 * within the ranges.
 */
bool pattern_borders_shrink(const struct pattern_borders *, struct range *border);

/*
 * Return true if no plan fits limits raised by RAISE MB, for a problem with the contents that do. False is
 * inconclusive: with one chunk per stage or one body, too many patterns, or at DEADLINE (s of clock.h).
 */
bool pattern_borders_none(const struct problem *, double raise, double deadline);

#endif
