/* Timed: times of profiled kernels, used instead of estimates from shapes. */
#ifndef TIMED_H
#define TIMED_H

#include "lib/record/record.h"
#include "dump.h"

/*
 * Set the ms of operations from the kernel records of layers' forwards, matched by type and size. Other operations
 * share the remaining time of the forward, which takes FORWARD ms. Return the fraction of the forward that was matched.
 */
double timed_take(struct dump *, const struct records *, double forward);

#endif
