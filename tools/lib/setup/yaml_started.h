/* YAML started: keys of a YAML of Primus, FlagScale, NeMo or Megatron-LM's tests, as the arguments they stand for. */
#ifndef YAML_STARTED_H
#define YAML_STARTED_H

#include "lib/script/started.h"
#include "lib/yaml/yaml.h"

/*
 * Fill in the command that a YAML stands for: "--num-layers 32" of num_layers: 32, "false" of a false one, nothing of
 * null. A model's file that the YAML names is read from the checkout of Primus that it lies in. False: another YAML.
 */
bool yaml_started(struct started *, const struct yaml *root, const char *path);

#endif
