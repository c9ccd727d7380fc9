/*
 * Pattern borders: where the kinds of layers can meet in plans made of the patterns.  With a piece chosen for each
 * border, the kinds that a piece can hold are known, and so the order of layers is met by whatever its stages take; so
 * dynamic programming over the stages, the state being the layers of each kind placed, finds whether there is a plan.
 * Where memory is scarce it leaves few choices of many.
 */
#ifndef PATTERN_BORDERS_H
#define PATTERN_BORDERS_H

#include "sapp-lp/bound/borders.h"
#include "patterns.h"

struct pattern_borders {
	bool known;		/* false: any choice may have a plan, as they are too many to look at, or most do */
	int borders, n;
	int *at;		/* [n][borders], positions of choices that may have a plan */
};

/*
 * Those of the patterns, until the patterns' deadline, from which on choices are kept unseen. Patterns that are in none
 * of them are dropped.
 */
struct pattern_borders pattern_borders_new(struct patterns *);
void pattern_borders_free(struct pattern_borders *);
/*
 * Ranges of BORDER[borders] become the least that hold all choices within them; false: there is none, and so no
 * plan of the patterns within them.
 */
bool pattern_borders_shrink(const struct pattern_borders *, struct range *border);

/*
 * Whether no plan fits limits raised by RAISE MB, of a problem with the contents that do. True is a proof; false says
 * nothing: for one chunk a stage or one body, with too many patterns, or at DEADLINE (s of clock.h).
 */
bool pattern_borders_none(const struct problem *, double raise, double deadline);

#endif
