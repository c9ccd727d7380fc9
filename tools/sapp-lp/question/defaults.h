/* Defaults of unset options, from the job record of the stream, or otherwise assumed. */
#ifndef DEFAULTS_H
#define DEFAULTS_H

#include "lib/record/record.h"
#include "options.h"

/*
 * Set unset stages, micro-batches, limits and transfers, and print their source to stderr. Exits if they are
 * inconsistent.
 */
void options_default(struct options *, const struct records *);

#endif
