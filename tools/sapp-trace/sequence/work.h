/*
 * Work: the computing kernels of a step, numbered in the order of time, and where kernels of one type stand among them.
 */
#ifndef WORK_H
#define WORK_H

#include "sequence.h"

struct positions {		/* numbers in the work, ascending */
	size_t n;
	size_t *at;
};

struct work {			/* the computing kernels of one step, without communication */
	size_t n;
	const struct item **at;
	struct positions transfers;	/* how many kernels had begun before each */
};

#define NO_ANCHOR UINT32_MAX

void work_of(struct work *, const struct item *items, size_t n, const struct sequence *);
void work_free(struct work *);
/* Does a transfer stand between the kernels FROM and TO, i.e. behind the first and not behind the last? */
bool work_transfer(const struct work *, size_t from, size_t to);
/* The first of the kernels [from, to) that has one of the ROLES; TO: none has. */
size_t work_first(const struct work *, const struct sequence *, size_t from, size_t to, unsigned roles);
bool work_role(const struct work *, const struct sequence *, size_t from, size_t to, unsigned roles);
/*
 * Where kernels of the TYPES, by number, stand that have one of the flags, or any with FLAG 0; without those that are
 * TAKEN, or all with NULL. To be freed.
 */
struct positions positions_of(const struct work *, const bool types[], unsigned flag, const bool taken[]);
/* The first of P at FROM or behind; SIZE_MAX: none. */
size_t positions_first(const struct positions *, size_t from);
/* Does one of P lie in [from, to)? */
bool positions_any(const struct positions *, size_t from, size_t to);
/* The last of P at AT or before, + 1; 0: none. */
size_t positions_last(const struct positions *, size_t at);
/* The most common distance between neighbours; the smaller of two. 0: fewer than two. */
size_t positions_period(const struct positions *);

#endif
