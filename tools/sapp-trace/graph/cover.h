/* Covers: the times that scopes of some classes take, to tell whether others lie within them. */
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

/* Add one; where there are very many, those that are close to one another become one. */
void covers_add(struct covers *, struct cover);
/* Sort and join what overlaps, or is no more than GAP apart; once with GAP 0 before the two below. */
void covers_join(struct covers *, int64_t gap);
/* Does the middle of X lie within a cover, which it is deeper than? */
bool covers_hold(const struct covers *, const struct cover *x);
/* Time of X that covers no deeper than it take from it. */
int64_t covers_take(const struct covers *, const struct cover *x);

#endif
