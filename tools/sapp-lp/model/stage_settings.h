/*
 * Menus: for the contents of a stage's chunks, every way to recompute them that fits into the stage's
 * memory and that no other beats in the backward time of every chunk.  The step time never
 * grows when a backward time shrinks, so nothing outside the menus is ever needed.
 */
#ifndef MENU_H
#define MENU_H

#include <stdbool.h>

#include "problem.h"

struct menu {
	int n;			/* 0: these contents do not fit, or the menu is not complete */
	double *backward;	/* [n][chunks], ms, of the body layers */
	short *mix;		/* [n][chunks], index in the content's mixes */
	bool complete;		/* false: there are too many to list; see fit.h */
	long tries;		/* combinations looked at for it */
	double work;		/* comparisons of backward times to make it, at most */
};

/* How many combinations of mixes there are for CONTENT[chunks]; a menu is made of problem.few.combinations at most. */
double menu_combinations(const struct problem *, const int *content);

struct menus {			/* made when asked for, then kept; one for each thread */
	const struct problem *problem;
	struct shelf *shelf;
	size_t room, used;
	long tries;		/* combinations looked at for all menus: what they cost */
	double work;		/* comparisons of backward times for all of them, at most */
	size_t bytes;		/* that they take */
};

struct menus menus_new(const struct problem *);
void menus_free(struct menus *);
/* The menu of CONTENT[chunks] on a stage; valid until menus_free(). */
const struct menu *menus_get(struct menus *, int stage, const int *content);

bool menus_has(const struct menus *, int stage, const int *content);	/* already made */

/* MB that the stage's peak needs at least, every layer recomputed as far as it goes. */
double stage_least_memory(const struct problem *, int stage, const int *content);
/* MB that the stage peaks at. */
double stage_peak(const struct problem *, int stage, const int *content, const int *mix);

#endif
