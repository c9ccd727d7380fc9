/* Signatures: sets of kernels of layers, which identify kinds across files. */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "layout.h"

/* Keep the types that a layer has run in every forward, with kernels FROM to before TO. */
void signature_keep(struct layout *, const struct work *, int layer, size_t from, size_t to);
/* Compute the signatures of all layers from names, which are equal in every file. */
void signature_make(struct layout *, const struct sequence *);

#endif
