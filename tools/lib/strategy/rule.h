/* The rules that frameworks have for configurations; one table, in the order in which they are checked. */
#ifndef RULE_H
#define RULE_H

#include "space.h"

int rules_count(void);
const char *rule_name(int rule);
/* Do chunks or sequences of a micro-batch matter to it? */
bool rule_is_inner(int rule);
/* Does the configuration break it?  WHY, when not NULL, becomes the rule with the figures in it; to be freed. */
bool rule_broken(int rule, const struct space *, const struct configuration *, char **why);

#endif
