/* Rules of the frameworks for configurations: a table, in the order of checking. */
#ifndef RULE_H
#define RULE_H

#include "space.h"

int rules_count(void);
const char *rule_name(int rule);
/* Return whether the rule depends on chunks or micro-batch size. */
bool rule_is_inner(int rule);
/* Return whether the configuration violates the rule. *WHY, unless NULL: the rule with figures; caller frees. */
bool rule_broken(int rule, const struct space *, const struct configuration *, char **why);

#endif
