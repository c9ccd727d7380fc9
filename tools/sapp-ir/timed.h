/* Timed: times of profiled kernels in place of estimates from shapes. */
#ifndef TIMED_H
#define TIMED_H

#include "lib/record/record.h"
#include "dump.h"

/*
 * Set the ms of operations from the kernel records of layers' forwards, matched by type and size; the others share the
 * rest of FORWARD ms. Return the fraction of the forward matched.
 */
double timed_take(struct dump *, const struct records *, double forward);

#endif
