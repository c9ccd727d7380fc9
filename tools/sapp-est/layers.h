/* Measured layer records that replace computed layers. */
#ifndef EST_LAYERS_H
#define EST_LAYERS_H

#include "lib/estimate/measured.h"
#include "lib/record/architecture.h"
#include "lib/record/layer.h"

/* Return the type of a layer by its name or the number of layers: enum layer_kind; -1 if ambiguous. */
int layers_kind(const char *name, int count, const struct architecture *);

/* Use a layer record; exits, naming AT, if its layers are ambiguous. */
void layers_take(struct measured *, const struct layer *, const struct architecture *, struct place at);

#endif
