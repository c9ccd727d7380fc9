/*
 * Pattern borders: the pieces at which one body can end and the next begin, in plans made of the patterns. Choosing a
 * piece for each border determines the bodies that each piece may hold, and any patterns within the choice are in model
 * order. Dynamic programming over the stages finds whether a plan exists for a choice; its state is the number of
 * layers placed of each body. If memory is scarce, few choices have a plan.
 */
#ifndef PATTERN_BORDERS_H
#define PATTERN_BORDERS_H

#include "sapp-lp/model/borders.h"
#include "patterns.h"

struct pattern_borders {
	/* false: any choice may have a plan, because choices were too many to check or most have a plan */
	bool known;
	int borders, n;
	int *at;		/* [n][borders], positions of pieces: the choices that may have a plan */
};

/*
 * Find the choices of borders for which the patterns may have a plan. After the patterns' deadline every choice is
 * kept. Drops patterns that belong to no remaining choice.
 */
struct pattern_borders pattern_borders_new(struct patterns *);
void pattern_borders_free(struct pattern_borders *);
/*
 * Shrink the ranges BORDER[borders] to the choices within them. Return false if they contain no choice: then no plan of
 * the patterns is within the ranges.
 */
bool pattern_borders_shrink(const struct pattern_borders *, struct range *border);

/*
 * Return true if no plan fits limits raised by RAISE MB. The problem must have all contents that fit the raised limits.
 * False proves nothing: it is returned with one chunk per stage or one body, with too many patterns, or at DEADLINE (s
 * of clock_now()).
 */
bool pattern_borders_none(const struct problem *, double raise, double deadline);

#endif
