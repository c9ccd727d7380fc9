/*
 * Texture: kernels that are alike, by type, shapes and time; what repeats among them tells whether a row of layers
 * was divided finely enough.
 */
#ifndef TEXTURE_H
#define TEXTURE_H

#include "work.h"

/* [work->n]: the same number for kernels of one symbol whose times are near one another. To be freed. */
uint32_t *texture_of(const struct work *);
/*
 * A type that runs more often than the anchors at BASE do, in forwards, which end at transfers and at the GRADIENT's
 * anchors, and between whose kernels nearly the same runs each time: it runs once a layer where the anchors do in some
 * layers only. NO_ANCHOR: none. *N: kernels of it in the forwards.
 */
uint32_t texture_finer(const uint32_t texture[], const struct work *, const struct sequence *,
    const struct positions *base, const struct positions *gradient, size_t *n);
/*
 * Do the same kernels run twice in [from, to), with products and a normalization among them? Then it is no layer, but
 * several. *AGAIN: where the second begins.
 */
bool texture_repeats(const uint32_t texture[], const struct work *, const struct sequence *, size_t from, size_t to,
    size_t *again);

#endif
