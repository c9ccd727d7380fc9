/* Value: what a training YAML has for a key, replaced where it is written. */
#ifndef VALUE_H
#define VALUE_H

#include "lib/setup/patterns.h"
#include "lib/setup/training.h"
#include "lib/yaml/yaml_edit.h"
#include "insert.h"

struct update {
	struct edits *edits;
	const struct training *t;
	struct grid layers;	/* the plan's */
	/* What the plan and the file have for patterns; NULL: the plan has built-in kinds alone. */
	const struct pattern_lists *want;
	struct place place;	/* of the plan */
};

/* Others that say *name change with &name; the user may not know. */
void value_warn_of_aliases(const struct training *, const struct yaml *);
/*
 * Put TEXT (taken over) where a value is written, behind its KEY (0, 0: in a list). A comment behind the value goes
 * with it, one on a line of its own stays.
 */
void value_replace(const struct update *, const struct yaml *, struct yaml_span, struct yaml_span key, char *text);
/* Exits where the key stands in the map twice: which of them an edit means cannot be said. */
void value_refuse_repeated(const struct yaml *map, enum training_key);
/* A value that is one word; MISSING is what not being there means. */
void value_update_word(const struct update *, enum training_key, const char *want, const char *missing,
    struct missing *);
/* A value as TEXT (taken over) has it, put where it stands or would. */
void value_update_text(const struct update *, enum training_key, char *text, struct missing *);

#endif
