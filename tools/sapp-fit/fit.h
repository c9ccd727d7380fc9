/* Fit: what runs of one regime determine of their operators, and what they do not. */
#ifndef FIT_H
#define FIT_H

#include "coverage.h"

/* TOLERANCE: share that numbers may be off. What it says of candidates is added up. */
void fit_write(FILE *, const struct sample *, double tolerance, struct coverages *);

#endif
