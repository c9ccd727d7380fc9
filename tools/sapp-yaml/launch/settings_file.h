/* Settings file: edit the YAML of Primus or FlagScale in place. */
#ifndef SETTINGS_FILE_H
#define SETTINGS_FILE_H

#include "lib/base/edit.h"
#include "lib/setup/launch.h"
#include "lib/yaml/yaml.h"
#include "sapp-yaml/plan/question.h"

/* Return the target of such a file; TARGETS: another kind of file. */
enum target settings_target(const struct yaml *root);
/* Return whether it has experts. */
bool settings_experts(const struct yaml *root);
/*
 * Edit the TEXT of ROOT to have the settings WANT, taking ownership; settings with equal meaning stay. Exits if the
 * file belongs to another model.
 */
void settings_edits(struct edits *, const struct yaml *root, struct launch *want,
    const struct yaml_question *);

#endif
