/* Anchors: kinds of kernels of which every layer runs one. */
#ifndef ANCHOR_H
#define ANCHOR_H

#include "work.h"

struct anchors {		/* a set of types */
	size_t n;
	bool *is;		/* [types] */
	uint32_t first;		/* the type that takes the most time; NO_ANCHOR: none */
};

void anchors_init(struct anchors *, const struct sequence *);
void anchors_add(struct anchors *, const struct sequence *, uint32_t type);
/* The types that -anchor names, "A,B"; exits when a forward has none of a name. */
void anchors_named(struct anchors *, const struct sequence *, const char *names, bool backward);
/*
 * Fused attentions, and what stands in for them in other layers. A type whose kernels run beside those of a longer
 * one, without a product in between, is a part of it.
 */
void anchors_attention(struct anchors *, const struct work *, const struct sequence *, bool backward);
/* The gradient that a step has MANY of, so that each layer runs one: of such types, the longest. */
void anchors_gradient(struct anchors *, const struct work *, const struct sequence *, size_t many);
/*
 * The type between whose kernels the same kernels repeat, outside what is TAKEN [work->n]; of those that cover much
 * of the time, the one that repeats most often. A layer has a product in it.
 * FLAG: only kernels that have it, where not 0.
 */
uint32_t anchor_repeated(const struct work *, const struct sequence *, const bool taken[], unsigned flag);
/* "A, B", to be freed. */
char *anchors_text(const struct anchors *, const struct sequence *);
void anchors_free(struct anchors *);

#endif
