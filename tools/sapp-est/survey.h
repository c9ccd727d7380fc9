/* A whole space estimated in one process, of which the best are kept. */
#ifndef SURVEY_H
#define SURVEY_H

#include "lib/strategy/estimator.h"
#include "options.h"

/* Write the candidates kept, each with its estimate; false when none is legal, or by step time none fits. */
bool survey(struct wanted *, const struct architecture *, const struct cluster *, const struct estimating *);

#endif
