/* Measured layers: layer records, which replace computed layers. */
#ifndef EST_LAYERS_H
#define EST_LAYERS_H

#include "lib/estimate/measured.h"
#include "lib/record/architecture.h"
#include "lib/record/layer.h"

/* Return the type of a layer, enum layer_kind, from its name or the number of such layers; -1 if ambiguous. */
int layers_kind(const char *name, int count, const struct architecture *);

/* Use a layer record. Exits, naming AT, if it is ambiguous which layers it is for. */
void layers_take(struct measured *, const struct layer *, const struct architecture *, struct place at);

#endif
