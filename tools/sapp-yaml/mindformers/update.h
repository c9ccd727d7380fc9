/* Update: the edits that make a training YAML say what a plan says. */
#ifndef UPDATE_H
#define UPDATE_H

#include "lib/setup/training.h"
#include "sapp-yaml/question.h"
#include "lib/base/edit.h"

/* Exit, naming both, when the file's pipeline is not the plan's. */
void update_check(const struct training *, const struct plan *, const struct question *);
/* Only what means something else today is touched. MICRO: the micro-batches, too. */
void update_edits(struct edits *, const struct training *, const struct plan *, const struct question *,
    bool micro);
/* Exit unless the edited TEXT (taken over) now says what the plan says. */
void update_verify(const char *path, char *text, size_t length, const struct plan *, const struct question *);

/* The TEXT of a plan's settings (taken over) with degrees and micro-batches; to be freed. Exits on what has no key. */
char *update_degrees(char *text, size_t length, const struct plan *, const struct question *);

/* The less-memory order of interleaving: the run's environment asks for it, not the YAML. */
bool update_takes_less(const struct question *);


#endif
