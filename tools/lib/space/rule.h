/* The rules of frameworks that configurations must follow, in the order in which they are checked. */
#ifndef RULE_H
#define RULE_H

#include "space.h"

int rules_count(void);
const char *rule_name(int rule);
/* Return whether the rule depends on the number of chunks or the size of micro-batches. */
bool rule_is_inner(int rule);
/*
 * Return whether the configuration violates the rule. Set *WHY, unless NULL, to the rule with its figures. Caller
 * frees.
 */
bool rule_broken(int rule, const struct space *, const struct configuration *, char **why);

#endif
