/* HyperParallel: train.accelerator and train.gradient_checkpointing of its training YAML. */
#ifndef HYPERPARALLEL_H
#define HYPERPARALLEL_H

#include "launched.h"

struct yaml;
/*
 * What the file ROOT runs; false: it is none of its files. LAYERS of the model, where it does not list them (0: nobody
 * says). Exits naming the line of what cannot be.
 */
bool hyperparallel_read(struct launched *, const struct yaml *root, int layers);
/* LAYERS and RECOMPUTED of each piece as such a file; all layers are recomputed in PART where that is not NONE. */
void hyperparallel_print(FILE *, const struct shape *, struct grid layers, struct grid recomputed, bool part);

#endif
