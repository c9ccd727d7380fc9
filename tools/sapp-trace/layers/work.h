/* Work: the compute kernels of a step, numbered in order of time, and the positions of some types among them. */
#ifndef WORK_H
#define WORK_H

#include "sequence.h"

struct positions {		/* indices in the work, ascending */
	size_t n;
	size_t *at;
};

struct work {			/* the compute kernels of a step, without communication */
	size_t n;
	const struct item **at;
	struct positions transfers;	/* of each transfer: number of kernels that start before it */
};

#define NO_ANCHOR UINT32_MAX

void work_of(struct work *, const struct item *items, size_t n, const struct sequence *);
void work_free(struct work *);
/*
 * Return whether a transfer lies between kernels FROM and TO: after the start of FROM, and not after the start of TO.
 */
bool work_transfer(const struct work *, size_t from, size_t to);
/*
 * Return the first of the kernels [from, to) that has one of the ROLES; TO: none. work_role() returns whether one has.
 */
size_t work_first(const struct work *, const struct sequence *, size_t from, size_t to, unsigned roles);
bool work_role(const struct work *, const struct sequence *, size_t from, size_t to, unsigned roles);
/*
 * Return the positions of the kernels of TYPES that have FLAG (0: any), except TAKEN kernels (NULL: none). Caller
 * frees.
 */
struct positions positions_of(const struct work *, const bool types[], unsigned flag, const bool taken[]);
/* Return the index of the first position that is at least FROM; SIZE_MAX: none. */
size_t positions_first(const struct positions *, size_t from);
/* Return whether a position lies in [from, to). */
bool positions_any(const struct positions *, size_t from, size_t to);
/* Return 1 + index of the last position that is at most AT; 0: none. */
size_t positions_last(const struct positions *, size_t at);
/*
 * Return the most common distance between neighbouring positions; of two equally common distances, the smaller. Return
 * 0 for fewer than two positions.
 */
size_t positions_period(const struct positions *);

#endif
