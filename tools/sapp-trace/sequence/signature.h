/* Signatures: the sets of kernels that layers run, by which their kinds are told in all files. */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include "layout.h"

/* Keep the types that a layer has run forward every time, with the kernels FROM up to TO. */
void signature_keep(struct layout *, const struct work *, int layer, size_t from, size_t to);
/* Fill the signatures of all layers: of the names, which are the same in every file. */
void signature_make(struct layout *, const struct sequence *);

#endif
