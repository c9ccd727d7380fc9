/* Parallel: the degrees of a candidate in a training YAML. */
#ifndef PARALLEL_H
#define PARALLEL_H

#include "lib/record/configuration.h"
#include "value.h"

/* Exits where MindFormers has no word for them. */
void parallel_update(const struct update *, const struct configuration *, struct missing *);
/* Exit unless the file says them. */
void parallel_verify(const struct training *, const struct configuration *, const char *plan);

#endif
