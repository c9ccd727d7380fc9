/* Extent: time of kernels, as wall clock and as device work. */
#ifndef EXTENT_H
#define EXTENT_H

#include "row.h"
#include "wait.h"

struct extent {			/* ns */
	double wall;
	double busy;		/* a compute kernel ran, overlapping streams counted once */
	double idle;		/* neither compute nor communication */
};

/*
 * Return the extent of kernels FROM to before TO of the work, before ITEMS_END; ends at UNTIL. Adds their collectives
 * to the waits, by index in the sequence.
 */
struct extent extent_of(const struct sequence *, const struct item *items_end, const struct work *, size_t from,
    size_t to, int64_t until, struct waits *);
/*
 * Return the start of the next kernel or transfer after kernels FROM to before TO; or their own end, if that is later
 * or a gap exceeds LONGEST ns.
 */
int64_t extent_next(const struct sequence *, const struct item *items_end, const struct work *, size_t from, size_t to,
    double longest);

#endif
