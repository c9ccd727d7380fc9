/* Covers: times of scopes of some classes, to find scopes within them. */
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

/* Add a cover; merges close ones if there are very many. */
void covers_add(struct covers *, struct cover);
/* Sort, and join covers that overlap or are at most GAP apart; call once with GAP 0 before the next two functions. */
void covers_join(struct covers *, int64_t gap);
/* Return whether the middle of X lies within a cover at a lesser depth. */
bool covers_hold(const struct covers *, const struct cover *x);
/* Return the time of X within covers at a lesser or equal depth. */
int64_t covers_take(const struct covers *, const struct cover *x);

#endif
