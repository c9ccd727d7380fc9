/* Parallel: the degrees of a candidate in a training YAML. */
#ifndef PARALLEL_H
#define PARALLEL_H

#include "lib/record/configuration.h"
#include "update.h"

/* Exits if MindFormers cannot express them. */
void parallel_update(struct update *, const struct configuration *);
/* Exit unless the file has them. */
void parallel_verify(const struct training *, const struct configuration *, const char *plan);

#endif
