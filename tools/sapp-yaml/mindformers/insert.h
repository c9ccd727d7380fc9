/* Insert: keys that a training YAML does not have yet. */
#ifndef INSERT_H
#define INSERT_H

#include "lib/setup/training.h"
#include "sapp-yaml/edit.h"

struct missing {
	char *text[TRAINING_KEYS];	/* the value, NULL: not missing */
};

/* TEXT is taken over. */
void missing_add(struct missing *, enum training_key, char *text);
void missing_insert(struct missing *, const struct training *, struct edits *);

/* "KEY: TEXT" into a map that is there, behind the entry AFTER or the last one (NULL). */
void insert_entry(const struct training *, struct edits *, const struct yaml *map, const char *after, const char *key,
    const char *text);
/* How far a byte is from the beginning of its line. */
int insert_column(const struct training *, size_t at);

#endif
