/* HyperParallel: train.accelerator and train.gradient_checkpointing of its training YAML. */
#ifndef HYPERPARALLEL_H
#define HYPERPARALLEL_H

#include "lib/record/configuration.h"
#include "launched.h"

struct yaml;
/*
 * Read the pipeline of file ROOT. Return false if it is not a HyperParallel file. LAYERS: number of the model's layers,
 * if the file does not list them (0: unknown). Exits, naming the line, on invalid settings.
 */
bool hyperparallel_read(struct launched *, const struct yaml *root, int layers);
/*
 * Print LAYERS and RECOMPUTED of each piece in this format; PART unless NONE: the kind of all layers. DEGREES: those of
 * a candidate, or NULL.
 */
void hyperparallel_print(FILE *, const struct shape *, struct grid layers, struct grid recomputed, bool part,
    const struct configuration *degrees);

#endif
