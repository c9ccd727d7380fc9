/* Signatures: hashes of the sets of kernels of layers. They identify kinds of layers across files. */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "layout.h"

/* Keep only the types that a layer runs in every forward. This forward has the kernels from FROM to before TO. */
void signature_keep(struct layout *, const struct work *, int layer, size_t from, size_t to);
/* Compute the signatures of all layers from the names of kernels, which are equal in every file. */
void signature_make(struct layout *, const struct sequence *);

#endif
