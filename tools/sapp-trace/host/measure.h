/* Measure: times of the layers that the host's spans name. */
#ifndef MEASURE_H
#define MEASURE_H

#include "join.h"
#include "sapp-trace/device/answers.h"
#include "sapp-trace/time/tally.h"

/* Add the kernels of JOIN to TALLY, whose instances they have. False: none is of a layer. */
bool measure(const struct join *, const struct recording *, const struct classes *, const struct instances *,
    const struct steps *, struct tally *, struct place at);
/* What of the steps that TALLY counts lies before and behind their layers and transfers, for the rank of JOB. */
void measure_outside(struct answers *, const struct join *, const struct recording *, const struct classes *,
    const struct instances *, const struct steps *, const struct tally *, struct job, struct place at);
/* The kernels in order, by step, for what repeats. */
void measure_sequence(struct sequence *, const struct join *, const struct recording *, const struct steps *,
    struct place at);

#endif
