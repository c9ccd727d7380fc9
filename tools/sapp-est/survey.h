/* Estimate a whole space in one process and keep the best. */
#ifndef SURVEY_H
#define SURVEY_H

#include "lib/estimate/estimator.h"
#include "lib/estimate/inputs.h"
#include "options.h"

/*
 * Write the candidates kept, each with its estimate. Return false if none is legal, or when ranking by step time none
 * fits.
 */
bool survey(struct wanted_output *, struct inputs *, const struct estimating *);

#endif
