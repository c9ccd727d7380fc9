/* Forms of YAML files with arguments as keys. Only launch_yaml and yaml_started include this. */
#ifndef LAUNCH_FORM_H
#define LAUNCH_FORM_H

#include "launch_yaml.h"

enum { MAPS = 3 };

/* A form of such files. A path has keys with '.' between them; '*' is any key. */
struct form {
	enum target target;	/* TARGETS: plans are not written into such a file */
	const char *needs;	/* path that every file of this form has */
	const char *maps[MAPS];	/* paths of the maps with arguments: of the run (required), of the model, of the data */
	bool dashed;		/* keys begin with two dashes */
	bool deep;		/* maps inside of these maps have arguments also */
	bool nemo;		/* keys have NeMo's names */
	const char *nodes, *devices;	/* keys with the numbers for the launcher */
	/* directory in a checkout with the files of models that the key "model", next to the map, names */
	const char *presets;
	const char *on[2];	/* flags that are on if the file does not set them */
	const char *above[2];	/* keys to write above the maps */
	int column;
};

/* Key of NeMo with a value that Megatron-LM computes itself (arguments.py, validate_args). */
extern const char form_computed[];

/* Return the form of a file, or NULL; return the form in which plans for a framework are written. */
const struct form *form_of(const struct yaml *root);
const struct form *form_for(enum target);
/*
 * Return the value at a path, or NULL if it is absent or null, or no map or scalar. Exit if '*' matches several keys.
 */
const struct yaml *form_at(const struct yaml *from, const char *path);
const struct yaml *form_map(const struct yaml *from, const char *path);
const struct yaml *form_scalar(const struct yaml *from, const char *path);
/* Return "--num-layers" for num_layers or --num-layers, which the caller frees; return the option of that name. */
char *form_option(const char *key);
enum launch_option form_option_named(const char *key);

#endif
