/* Update: the text of a training YAML with the settings of a plan. */
#ifndef UPDATE_H
#define UPDATE_H

#include "lib/setup/training.h"
#include "sapp-yaml/plan/question.h"

/* Exit, naming both pipelines, if the file's pipeline differs from the plan's. */
void update_check(const struct training *, const struct plan *, const struct yaml_question *);
/*
 * Return the text of the file with the settings of the plan; caller frees. Only settings whose meaning differs are
 * changed. MICRO: set micro-batches also.
 */
char *update_text(const struct training *, const struct plan *, const struct yaml_question *, bool micro,
    size_t *length);
/* Exit unless the edited TEXT has the settings of the plan. Takes ownership of TEXT. */
void update_verify(const char *path, char *text, size_t length, const struct plan *, const struct yaml_question *);

/*
 * Return TEXT, the settings of a plan, with degrees and micro-batches added; caller frees. Takes ownership of TEXT.
 * Exits if a setting has no key.
 */
char *update_degrees(char *text, size_t length, const struct plan *, const struct yaml_question *);

/*
 * Return whether the plan needs the order of interleaving with less memory. The environment selects this order, not the
 * YAML.
 */
bool update_takes_less(const struct yaml_question *);

/* A text that is being edited. */
struct update {
	const struct training *t;	/* the file, unchanged */
	struct grid layers;		/* numbers of layers in the plan */
	/* patterns of plan and file; NULL: the plan has only built-in kinds */
	const struct pattern_lists *want;
	struct place place;		/* of the plan */
	char *text;
	size_t length;
};
/* Set the value of a key, which is added if needed. Takes ownership of VALUE. */
void update_set(struct update *, enum training_key, char *value);
/* Set a value of one word, unless the file has it. MISSING: the meaning of an absent key. */
void update_word(struct update *, enum training_key, const char *want, const char *missing);

#endif
