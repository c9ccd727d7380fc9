/* Settings file: the YAML of Primus or FlagScale, edited in place. */
#ifndef SETTINGS_FILE_H
#define SETTINGS_FILE_H

#include "lib/setup/launch.h"
#include "lib/yaml/yaml.h"
#include "lib/base/edit.h"
#include "sapp-yaml/question.h"

/* Is ROOT such a file, and of which target? TARGETS: it is none. */
enum target settings_target(const struct yaml *root);
/* Does it say that there are experts? */
bool settings_experts(const struct yaml *root);
/*
 * Make the TEXT of ROOT say what WANT does, which is taken over; the words of the file stay where they say the same.
 * Exits where it is the file of another model.
 */
void settings_edits(struct edits *, const struct yaml *root, struct launch *want,
    const struct question *);

#endif
