/* Covers: times of the scopes of some classes. They tell which other scopes lie within them. */
#ifndef COVER_H
#define COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cover {
	int64_t start, end;	/* ns */
	int process, depth;
};

struct covers {
	size_t n, room;
	struct cover *at;
};

/* Add a cover. If covers are very many, merge neighbours. */
void covers_add(struct covers *, struct cover);
/*
 * Sort the covers, and join covers that overlap or are at most GAP ns apart. Call once with GAP 0 before covers_hold()
 * and covers_take().
 */
void covers_join(struct covers *, int64_t gap);
/* Return whether the middle of X lies within a cover of smaller depth. */
bool covers_hold(const struct covers *, const struct cover *x);
/* Return the time of X, ns, that lies within covers of at most its depth. */
int64_t covers_take(const struct covers *, const struct cover *x);

#endif
