/* Update: edits that give a training YAML the settings of a plan. */
#ifndef UPDATE_H
#define UPDATE_H

#include "lib/base/edit.h"
#include "lib/setup/training.h"
#include "sapp-yaml/plan/question.h"

/* Exit, naming both, if the file's pipeline differs from the plan's. */
void update_check(const struct training *, const struct plan *, const struct yaml_question *);
/* Change only what has another meaning now. MICRO: include micro-batches. */
void update_edits(struct edits *, const struct training *, const struct plan *, const struct yaml_question *,
    bool micro);
/* Exit unless the edited TEXT has the settings of the plan. Takes ownership of TEXT. */
void update_verify(const char *path, char *text, size_t length, const struct plan *, const struct yaml_question *);

/*
 * Return the TEXT of a plan's settings with degrees and micro-batches; caller frees. Takes ownership of TEXT. Exits on
 * settings without a key.
 */
char *update_degrees(char *text, size_t length, const struct plan *, const struct yaml_question *);

/* Return whether the plan needs the less-memory order of interleaving, which the environment selects, not the YAML. */
bool update_takes_less(const struct yaml_question *);


#endif
