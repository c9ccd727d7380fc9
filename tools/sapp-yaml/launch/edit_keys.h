/* Edit keys: change the values of keys in the YAML of a framework. */
#ifndef EDIT_KEYS_H
#define EDIT_KEYS_H

#include "wanted.h"

/* Edit *TEXT, which is the file at PATH with the arguments NOW, such that the decided options are as wanted. */
void keys_edit(char **text, size_t *length, const char *path, const struct launch *now, const struct wanted *);

#endif
