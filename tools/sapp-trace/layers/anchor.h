/* Anchors: types of kernels that each layer runs once. */
#ifndef ANCHOR_H
#define ANCHOR_H

#include "work.h"

struct anchors {		/* a set of types of kernels */
	size_t n;
	bool *is;		/* [types], whether the type is in the set */
	uint32_t first;		/* the type with the most time; NO_ANCHOR: none */
};

void anchors_init(struct anchors *, const struct sequence *);
void anchors_add(struct anchors *, const struct sequence *, uint32_t type);
/* Select the types named by -anchor, NAMES "A,B". Exits if one of them is missing in a forward. */
void anchors_named(struct anchors *, const struct sequence *, const char *names, bool backward);
/* Select fused attentions, and the kernels that replace them in other layers. */
void anchors_attention(struct anchors *, const struct sequence *, bool backward);
/* Select the gradient that occurs MANY times per step, once per layer. If several do, select the longest. */
void anchors_gradient(struct anchors *, const struct work *, const struct sequence *, size_t many);
/*
 * Return the type between whose kernels the same kernels repeat, ignoring kernels that are TAKEN [work->n]. Of the
 * types that cover much of the time, return the most frequent; between two of its kernels there must be a matrix
 * product. FLAG: consider only kernels with this flag; 0: all.
 */
uint32_t anchor_repeated(const struct work *, const struct sequence *, const bool taken[], unsigned flag);
/* Return the names of the types, "A, B"; caller frees. */
char *anchors_text(const struct anchors *, const struct sequence *);
void anchors_free(struct anchors *);

#endif
