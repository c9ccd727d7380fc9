/* Anchors: kinds of kernels that run once a layer. */
#ifndef ANCHOR_H
#define ANCHOR_H

#include "row.h"

/* The type that -anchor names; exits when there is none. */
uint32_t anchor_named(const struct sequence *, const char *name, bool backward);
/* The fused attention that takes the most time. */
uint32_t anchor_attention(const struct sequence *, bool backward);
/*
 * The type between whose kernels the same kernels repeat, outside what is TAKEN [work->n]; of those that cover much
 * of the time, the one that repeats most often. A layer has a product in it.
 * FLAG: only kernels that have it, where not 0.
 */
uint32_t anchor_repeated(const struct work *, const struct sequence *, const bool taken[], unsigned flag);

#endif
