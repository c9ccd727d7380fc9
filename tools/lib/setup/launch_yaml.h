/* Launch YAML: files of frameworks that have Megatron-LM's arguments as keys. */
#ifndef LAUNCH_YAML_H
#define LAUNCH_YAML_H

#include "lib/script/started.h"
#include "lib/target/target.h"
#include "lib/yaml/yaml.h"
#include "launch.h"

/* Return the framework of this file; TARGETS: a framework without plans. */
enum target launch_yaml_target(const struct yaml *root);
/*
 * Fill in the command that a YAML stands for: "--num-layers 32" for num_layers: 32, "false" for a false value, nothing
 * for null. A model's file that the YAML names is read from the checkout of the YAML. Return false if it is another
 * YAML. Exits, naming the line, on a needed value that is known only at run time.
 */
bool yaml_started(struct started *, const struct yaml *root, const char *path);
/* Return whether the file has the option; *MAP: where it is, or belongs; *I: the entry. */
bool launch_yaml_find(const struct yaml *root, enum launch_option, const struct yaml **map, int *i);
/* Return its key; return a value in YAML syntax. Caller frees. */
char *launch_yaml_key(enum launch_option);
char *launch_yaml_text(enum launch_option, const char *value);
/* Switch off the flags that the framework switches on by default, unless they are set. */
void launch_yaml_defaults(struct launch *, enum target);
/* Print all options with the keys above them. */
void launch_print_yaml(const struct launch *, enum target, FILE *);

#endif
