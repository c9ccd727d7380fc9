/* Parallel: the degrees of a candidate in a training YAML. */
#ifndef PARALLEL_H
#define PARALLEL_H

#include "lib/record/configuration.h"
#include "update.h"

/* Set the degrees. Exits if MindFormers cannot express them. */
void parallel_update(struct update *, const struct configuration *);
/* Exit unless the file has the degrees of the candidate. */
void parallel_verify(const struct training *, const struct configuration *, const char *plan);

#endif
