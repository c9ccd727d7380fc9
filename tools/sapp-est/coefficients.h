/* Runs and what sapp-fit found of them: anchors, tables of collectives, what is hidden. */
#ifndef COEFFICIENTS_H
#define COEFFICIENTS_H

#include "lib/record/coefficient.h"
#include "lib/strategy/measured.h"

struct coefficients {
	size_t nruns, n;
	struct training_run *run;
	struct coefficient *at;
};

void coefficients_take_run(struct coefficients *, const struct training_run *);
/* The run of that name; NULL: there is none. */
const struct training_run *coefficients_run(const struct coefficients *, const char *name);
/* Exits, naming AT, on a coefficient of a run that is not there. */
void coefficients_take(struct coefficients *, const struct coefficient *, struct place at);
/* Make anchors of them; they are free then. */
void coefficients_apply(struct coefficients *, struct measured *, const struct architecture *);

#endif
