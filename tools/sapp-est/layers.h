/* Layer records that were measured, in the place of computed layers. */
#ifndef EST_LAYERS_H
#define EST_LAYERS_H

#include "lib/record/architecture.h"
#include "lib/record/layer.h"
#include "lib/strategy/measured.h"

/* Which kind of layer these are by their name, or by how many they are: enum layer_kind; -1: it is not plain. */
int layers_kind(const char *name, int count, const struct architecture *);

/* What a layer record says; exits naming AT where it is not plain which of the network's layers it is. */
void layers_take(struct measured *, const struct layer *, const struct architecture *, struct place at);

#endif
