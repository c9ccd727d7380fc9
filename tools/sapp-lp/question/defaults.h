/* Defaults of unset options, from the job record of the stream, or else assumed. */
#ifndef DEFAULTS_H
#define DEFAULTS_H

#include "lib/record/record.h"
#include "options.h"

/*
 * Fill in stages, micro-batches, limits and transfers, and print their source to stderr. Exits if they are
 * inconsistent.
 */
void options_default(struct options *, const struct records *);

#endif
