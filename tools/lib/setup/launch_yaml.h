/* YAML files of frameworks in which Megatron-LM's arguments are keys. */
#ifndef LAUNCH_YAML_H
#define LAUNCH_YAML_H

#include "lib/script/started.h"
#include "lib/target/target.h"
#include "lib/yaml/yaml.h"
#include "launch.h"

/* Return the framework that the file is for; TARGETS: one that plans are not written for. */
enum target launch_yaml_target(const struct yaml *root);
/* Exit, naming the way to print settings, if the file is of a form that plans are not written into. */
void launch_yaml_refuse(const struct yaml *root);
/*
 * Fill in the command that equals a YAML: "--num-layers 32" for num_layers: 32. A false value becomes "false", a null
 * none. If the YAML names a file of a model, read that file from the checkout that contains the YAML. Return false if
 * the YAML is of another kind. Exit, naming the line, if a needed value is known only when the run starts.
 */
bool yaml_started(struct started *, const struct yaml *root, const char *path);
/* Do the same in an environment, texts "NAME=value", which "${NAME:default}" depends on. */
bool yaml_started_in(struct started *, const struct yaml *root, const char *path, const struct texts *environment);
/* Return the path of NAME in a directory above the file at PATH, or NULL if it does not exist. Caller frees. */
char *launch_yaml_above(const char *path, const char *name);
/*
 * Return whether the file has the option. Set *MAP to the map that has it, or would have it, and *I to the index of its
 * entry.
 */
bool launch_yaml_find(const struct yaml *root, enum launch_option, const struct yaml **map, int *i);
/* Return the key of an option; return a value in YAML syntax. Caller frees. */
char *launch_yaml_key(enum launch_option);
char *launch_yaml_text(enum launch_option, const char *value);
/* Turn off the flags that the framework turns on by default, unless they are set. */
void launch_yaml_defaults(struct launch *, enum target);
/* Print all options, with the maps that they belong to. */
void launch_print_yaml(const struct launch *, enum target, FILE *);

#endif
