/* Value: replace a key's value in the text of a training YAML. */
#ifndef VALUE_H
#define VALUE_H

#include "lib/setup/patterns.h"
#include "lib/setup/training.h"
#include "lib/yaml/yaml_edit.h"
#include "insert.h"

struct update {
	struct edits *edits;
	const struct training *t;
	struct grid layers;	/* of the plan */
	/* Patterns of the plan and the file; NULL: the plan has only built-in kinds. */
	const struct pattern_lists *want;
	struct place place;	/* of the plan */
};

/* Warn that values *name change with &name. */
void value_warn_of_aliases(const struct training *, const struct yaml *);
/*
 * Replace a value by TEXT, after its KEY (0, 0: in a list). Removes a comment after the value, keeps those on lines of
 * their own. Takes ownership of TEXT.
 */
void value_replace(const struct update *, const struct yaml *, struct yaml_span, struct yaml_span key, char *text);
/* Exit if the key is duplicate, as an edit would be ambiguous. */
void value_refuse_repeated(const struct yaml *map, enum training_key);
/* Set a value of one word; MISSING: the meaning of an absent key. */
void value_update_word(const struct update *, enum training_key, const char *want, const char *missing,
    struct missing *);
/* Set a value to TEXT, adding the key if needed. Takes ownership of TEXT. */
void value_update_text(const struct update *, enum training_key, char *text, struct missing *);

#endif
