/* Edit the YAML of a framework so that its keys have other values. */
#ifndef EDIT_KEYS_H
#define EDIT_KEYS_H

#include "lib/base/edit.h"
#include "lib/yaml/yaml.h"
#include "wanted.h"

/* Edit the TEXT of ROOT, which has the arguments NOW, to have the decided options as wanted. */
void keys_edits(struct edits *, const struct yaml *root, const struct launch *now, const struct wanted *);

#endif
