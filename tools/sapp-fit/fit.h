/* Fit: what runs of one regime determine of their operators, and what they do not. */
#ifndef FIT_H
#define FIT_H

#include "sample.h"

/* TOLERANCE: share that numbers may be off. */
void fit_write(FILE *, const struct sample *, double tolerance);

#endif
