/* Count: how many layers the rows of a step have. */
#ifndef COUNT_H
#define COUNT_H

#include "row.h"

/* Layers and rows of both phases. */
struct count {
	size_t layers[2], rows[2];
	bool even;		/* all rows of a phase have as many */
	size_t longest;		/* layers of a row */
};

struct count count_of(const struct rows *);
/*
 * Where what repeats was found, not named: the first layer computes no gradient of its input, so that its backward is
 * another. It goes with the head.
 */
void count_drop_first(struct rows *, struct count *);
/* In words, to be freed. */
char *count_text(const struct count *, const struct rows *, const struct sequence *);

#endif
