/* Update: the text of a training YAML with the settings of a plan. */
#ifndef UPDATE_H
#define UPDATE_H

#include "lib/setup/training.h"
#include "sapp-yaml/plan/question.h"

/* Exit, naming both, if the file's pipeline differs from the plan's. */
void update_check(const struct training *, const struct plan *, const struct yaml_question *);
/* Return the text with changes only of what has another meaning now; caller frees. MICRO: include micro-batches. */
char *update_text(const struct training *, const struct plan *, const struct yaml_question *, bool micro,
    size_t *length);
/* Exit unless the edited TEXT has the settings of the plan. Takes ownership of TEXT. */
void update_verify(const char *path, char *text, size_t length, const struct plan *, const struct yaml_question *);

/*
 * Return the TEXT of a plan's settings with degrees and micro-batches; caller frees. Takes ownership of TEXT. Exits on
 * settings without a key.
 */
char *update_degrees(char *text, size_t length, const struct plan *, const struct yaml_question *);

/* Return whether the plan needs the less-memory order of interleaving, which the environment selects, not the YAML. */
bool update_takes_less(const struct yaml_question *);

/* A text under construction. */
struct update {
	const struct training *t;	/* as the file is */
	struct grid layers;		/* of the plan */
	/* patterns of the plan and the file; NULL: the plan has only built-in kinds */
	const struct pattern_lists *want;
	struct place place;		/* of the plan */
	char *text;
	size_t length;
};
/* Set a value, adding the key if needed. Takes ownership of VALUE. */
void update_set(struct update *, enum training_key, char *value);
/* Set a value of one word, unless the file has it; MISSING: the meaning of an absent key. */
void update_word(struct update *, enum training_key, const char *want, const char *missing);

#endif
