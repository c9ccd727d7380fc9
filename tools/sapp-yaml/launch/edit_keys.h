/* Edit the YAML of a framework so that its keys have other values. */
#ifndef EDIT_KEYS_H
#define EDIT_KEYS_H

#include "wanted.h"

/* Edit the *TEXT of the file at PATH, which has the arguments NOW, to have the decided options as wanted. */
void keys_edit(char **text, size_t *length, const char *path, const struct launch *now, const struct wanted *);

#endif
