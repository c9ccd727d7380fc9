/* HyperParallel's training YAML: the keys below train.accelerator and train.gradient_checkpointing. */
#ifndef HYPERPARALLEL_H
#define HYPERPARALLEL_H

#include "lib/record/configuration.h"
#include "launched.h"

struct yaml;
/*
 * Read the pipeline from the file whose root is ROOT. LAYERS: number of layers of the model, used if the file does not
 * list them; 0: unknown. Return false if the file is not of HyperParallel. Exit, naming the line, on an invalid
 * setting.
 */
bool hyperparallel_read(struct launched *, const struct yaml *root, int layers);
/*
 * Print the numbers of LAYERS and of RECOMPUTED layers of each piece as keys of such a file. PART: if true, all layers
 * recompute a part. DEGREES: degrees of a candidate to print also, or NULL.
 */
void hyperparallel_print(FILE *, const struct shape *, struct grid layers, struct grid recomputed, bool part,
    const struct configuration *degrees);

#endif
