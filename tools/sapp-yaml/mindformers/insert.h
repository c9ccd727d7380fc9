/* Insert: add keys missing from a training YAML. */
#ifndef INSERT_H
#define INSERT_H

#include "lib/setup/training.h"
#include "lib/yaml/yaml_edit.h"

struct missing {
	char *text[TRAINING_KEYS];	/* value; NULL: not missing */
};

/* Takes ownership of TEXT. */
void missing_add(struct missing *, enum training_key, char *text);
void missing_insert(struct missing *, const struct training *, struct edits *);

#endif
