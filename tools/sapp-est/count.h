/* Count parameters, as a count record. */
#ifndef COUNT_H
#define COUNT_H

#include "lib/record/architecture.h"
#include "lib/record/configuration.h"
#include "lib/record/line.h"

/* Write the parameters per device of the configuration; NULL: of the whole network. */
void count_print(struct line *, const struct architecture *, const struct configuration *);

#endif
