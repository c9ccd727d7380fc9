/* Start: a first plan that fits, or the least excess over the limits when none does. */
#ifndef START_H
#define START_H

#include "catalog.h"

/* A plan that fits, its stages' work about even; false when none was found. */
bool start_find(const struct problem *, struct candidate *out);

struct excess {
	double mb;		/* by which every limit must be raised for OUT to fit */
	double at_least;	/* for any plan to fit */
	int stage;		/* the one that OUT exceeds most */
};
/* The plan that exceeds the limits least, every layer recomputed as far as it goes. */
struct excess start_excess(const struct problem *, struct candidate *out);

#endif
