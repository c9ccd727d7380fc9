/*
 * Coefficients: runs and the coefficients that sapp-fit computed for them. They become anchors, tables of collectives
 * and the hidden fraction.
 */
#ifndef COEFFICIENTS_H
#define COEFFICIENTS_H

#include "lib/estimate/measured.h"
#include "lib/record/coefficient.h"

struct coefficients {
	size_t nruns, n;
	struct training_run *run;
	struct coefficient *at;
};

void coefficients_take_run(struct coefficients *, const struct training_run *);
/* Return the run NAME, or NULL. */
const struct training_run *coefficients_run(const struct coefficients *, const char *name);
/* Keep a coefficient. Exits, naming AT, if its run is unknown. */
void coefficients_take(struct coefficients *, const struct coefficient *, struct place at);
/* Convert the coefficients to anchors, and free them. */
void coefficients_apply(struct coefficients *, struct measured *, const struct architecture *);

#endif
