/*
 * Texture: kernels that are equal in type, shapes and time; repetition among them shows whether a row of layers was
 * divided finely enough.
 */
#ifndef TEXTURE_H
#define TEXTURE_H

#include "work.h"

/* Return [work->n]: equal numbers for kernels of one symbol with similar times; caller frees. */
uint32_t *texture_of(const struct work *);
/*
 * Return a type more frequent than the anchors at BASE in forwards (which end at transfers and at the GRADIENT's
 * anchors), with nearly equal kernels between: it runs once per layer if the anchors are in some layers only.
 * NO_ANCHOR: none. *N: its kernels in forwards.
 */
uint32_t texture_finer(const uint32_t texture[], const struct work *, const struct sequence *,
    const struct positions *base, const struct positions *gradient, size_t *n);
/*
 * Return whether the same kernels run twice in [from, to), with products and a normalization: then it is several
 * layers. *AGAIN: start of the second.
 */
bool texture_repeats(const uint32_t texture[], const struct work *, const struct sequence *, size_t from, size_t to,
    size_t *again);

#endif
