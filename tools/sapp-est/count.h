/* Count parameters: the count record. */
#ifndef COUNT_H
#define COUNT_H

#include "lib/record/architecture.h"
#include "lib/record/configuration.h"
#include "lib/record/line.h"

/* Count per device of the configuration, or if NULL for the whole network. */
void count_print(struct line *, const struct architecture *, const struct configuration *);

#endif
