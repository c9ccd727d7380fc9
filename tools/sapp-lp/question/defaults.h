/* Defaults: what the options do not say, from the job record of the stream, or else assumed. */
#ifndef DEFAULTS_H
#define DEFAULTS_H

#include "lib/record/record.h"
#include "sapp-lp/options.h"

/*
 * Fill in stages, micro-batches, limits and transfers, and say on stderr where they are from. Exits when they do not
 * fit.
 */
void options_default(struct options *, const struct records *);

#endif
