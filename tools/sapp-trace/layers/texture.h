/*
 * Texture: kernels that are equal in type, shapes and time. Repetition among them shows whether a row of layers was
 * divided finely enough.
 */
#ifndef TEXTURE_H
#define TEXTURE_H

#include "work.h"

/* Return [work->n], a number per kernel. Kernels of one symbol with similar times have equal numbers. Caller frees. */
uint32_t *texture_of(const struct work *);
/*
 * Return a type that is more frequent in forwards than the anchors at BASE, with nearly equal kernels between its
 * kernels. It runs once per layer if only some layers have the anchors. Forwards end at transfers and at the anchors of
 * backwards, GRADIENT. Return NO_ANCHOR if none exists. *N: number of its kernels in forwards.
 */
uint32_t texture_finer(const uint32_t texture[], const struct work *, const struct sequence *,
    const struct positions *base, const struct positions *gradient, size_t *n);
/*
 * Return whether the same kernels, with matrix products and a normalization, run twice in [from, to), which then is
 * more than one layer. *AGAIN: start of the second run.
 */
bool texture_repeats(const uint32_t texture[], const struct work *, const struct sequence *, size_t from, size_t to,
    size_t *again);

#endif
