/* Survey: estimate a whole space in one process, and keep the best configurations. */
#ifndef SURVEY_H
#define SURVEY_H

#include "lib/estimate/estimator.h"
#include "lib/estimate/inputs.h"
#include "options.h"

/*
 * Write the candidates that are kept, each with its estimate. Return false if no configuration is legal, or if none
 * fits and they are ranked by step time.
 */
bool survey(struct wanted_output *, struct inputs *, const struct estimating *);

#endif
