/* Launch YAML: files of Primus and FlagScale, and the places of Megatron-LM's arguments in them. */
#ifndef LAUNCH_YAML_H
#define LAUNCH_YAML_H

#include "launch.h"

struct launch_maps {
	enum launch_dialect dialect;	/* LAUNCH_DIALECTS: neither */
	const struct yaml *system, *model;	/* the same in Primus; NULL: absent */
};
struct launch_maps launch_maps_of(const struct yaml *root);
/* Return the option of a key, by any of its names; LAUNCH_OPTIONS: unknown. */
enum launch_option launch_yaml_named(const char *key);
/* Return whether it belongs to the model's map. */
bool launch_in_model(enum launch_option);
/* Return its key; return a value in YAML syntax. Caller frees. */
char *launch_yaml_key(enum launch_option);
char *launch_yaml_text(enum launch_option, const char *value);
/* Print all options with the keys above them. */
void launch_print_yaml(const struct launch *, enum launch_dialect, FILE *);

#endif
