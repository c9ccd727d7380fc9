/* Insert: keys that a training YAML does not have yet. */
#ifndef INSERT_H
#define INSERT_H

#include "lib/setup/training.h"
#include "lib/yaml/yaml_edit.h"

struct missing {
	char *text[TRAINING_KEYS];	/* the value, NULL: not missing */
};

/* TEXT is taken over. */
void missing_add(struct missing *, enum training_key, char *text);
void missing_insert(struct missing *, const struct training *, struct edits *);

#endif
