/* Work: the compute kernels of a step, numbered in order of time, and positions of types among them. */
#ifndef WORK_H
#define WORK_H

#include "sequence.h"

struct positions {		/* numbers in the work, ascending */
	size_t n;
	size_t *at;
};

struct work {			/* the compute kernels of a step, without communication */
	size_t n;
	const struct item **at;
	struct positions transfers;	/* number of kernels begun before each */
};

#define NO_ANCHOR UINT32_MAX

void work_of(struct work *, const struct item *items, size_t n, const struct sequence *);
void work_free(struct work *);
/* Return whether a transfer lies between the kernels FROM and TO: after the first and not after the last. */
bool work_transfer(const struct work *, size_t from, size_t to);
/* Return the first of the kernels [from, to) with one of the ROLES; TO: none. */
size_t work_first(const struct work *, const struct sequence *, size_t from, size_t to, unsigned roles);
bool work_role(const struct work *, const struct sequence *, size_t from, size_t to, unsigned roles);
/* Return positions of kernels of TYPES with the flag (FLAG 0: any), except TAKEN ones (NULL: none); caller frees. */
struct positions positions_of(const struct work *, const bool types[], unsigned flag, const bool taken[]);
/* Return the first of P at FROM or later; SIZE_MAX if none exists. */
size_t positions_first(const struct positions *, size_t from);
/* Return whether one of P lies in [from, to). */
bool positions_any(const struct positions *, size_t from, size_t to);
/* Return the last of P at AT or earlier, + 1; 0 if none exists. */
size_t positions_last(const struct positions *, size_t at);
/*
 * Return the most common distance of neighbours, of two equally common ones the smaller; 0 if there are fewer than two
 * positions.
 */
size_t positions_period(const struct positions *);

#endif
