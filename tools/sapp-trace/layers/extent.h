/* Extent: the time of kernels, as wall-clock time and as time of the device. */
#ifndef EXTENT_H
#define EXTENT_H

#include "row.h"
#include "wait.h"

struct extent {			/* times, ns */
	double wall;
	double busy;		/* while compute kernels ran; overlapping streams count once */
	double idle;		/* while neither compute nor communication ran */
};

/*
 * Return the extent of the work's kernels from FROM to before TO, at most until UNTIL, ns. ITEMS_END: end of the step's
 * items. Adds the collectives of these kernels to the waits, by index in the sequence.
 */
struct extent extent_of(const struct sequence *, const struct item *items_end, const struct work *, size_t from,
    size_t to, int64_t until, struct waits *);
/*
 * Return the start of the first kernel or transfer after the kernels from FROM to before TO. Return the end of these
 * kernels instead, if it is later or if the gap exceeds LONGEST ns.
 */
int64_t extent_next(const struct sequence *, const struct item *items_end, const struct work *, size_t from, size_t to,
    double longest);

#endif
