/* Launch YAML: the files of Primus and FlagScale, and where arguments of Megatron-LM stand in them. */
#ifndef LAUNCH_YAML_H
#define LAUNCH_YAML_H

#include "launch.h"

struct launch_maps {
	enum launch_dialect dialect;	/* LAUNCH_DIALECTS: it is none of them */
	const struct yaml *system, *model;	/* the same of Primus; NULL: not there */
};
struct launch_maps launch_maps_of(const struct yaml *root);
/* The option of a key, by any of its names; LAUNCH_OPTIONS: there is none. */
enum launch_option launch_yaml_named(const char *key);
/* Does it stand in the map of the model? */
bool launch_in_model(enum launch_option);
/* Its key, and a value as it is written behind that; to be freed. */
char *launch_yaml_key(enum launch_option);
char *launch_yaml_text(enum launch_option, const char *value);
/* All with the keys that they stand below. */
void launch_print_yaml(const struct launch *, enum launch_dialect, FILE *);

#endif
