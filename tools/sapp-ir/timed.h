/* Timed: what kernels of a profile took, in place of what shapes say. */
#ifndef TIMED_H
#define TIMED_H

#include "dump.h"
#include "lib/record/record.h"

/*
 * Operations that the kernel records of layers' forwards have, told by type and the numbers that they make, take the
 * kernels' ms; the others share the rest of FORWARD ms as before. The share of a forward that is known so.
 */
double timed_take(struct dump *, const struct records *, double forward);

#endif
