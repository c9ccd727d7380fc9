/* Anchors: types of kernels that every layer runs once. */
#ifndef ANCHOR_H
#define ANCHOR_H

#include "work.h"

struct anchors {		/* a set of types */
	size_t n;
	bool *is;		/* [types] */
	uint32_t first;		/* the type with most time; NO_ANCHOR: none */
};

void anchors_init(struct anchors *, const struct sequence *);
void anchors_add(struct anchors *, const struct sequence *, uint32_t type);
/* Return the types named by -anchor, "A,B"; exits if a forward lacks one. */
void anchors_named(struct anchors *, const struct sequence *, const char *names, bool backward);
/* Select fused attentions, and their substitutes in other layers. */
void anchors_attention(struct anchors *, const struct sequence *, bool backward);
/* Select gradients that occur MANY times per step, once per layer: the longest type. */
void anchors_gradient(struct anchors *, const struct work *, const struct sequence *, size_t many);
/*
 * Return the type between whose kernels the same kernels repeat, outside TAKEN [work->n]; of those that cover much of
 * the time, the most frequent. A layer has a product. FLAG: only kernels with it, unless 0.
 */
uint32_t anchor_repeated(const struct work *, const struct sequence *, const bool taken[], unsigned flag);
/* Return "A, B"; caller frees. */
char *anchors_text(const struct anchors *, const struct sequence *);
void anchors_free(struct anchors *);

#endif
