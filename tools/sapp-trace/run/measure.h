/* Measure: times of layers named by host spans. */
#ifndef MEASURE_H
#define MEASURE_H

#include "sapp-trace/layers/join.h"
#include "sapp-trace/layers/tally.h"
#include "answers.h"

/* Add the kernels of JOIN to TALLY by instance. False: none belongs to a layer. */
bool measure(const struct join *, const struct recording *, const struct classes *, const struct instances *,
    const struct steps *, struct step_tally *, struct place at);
/* Add the time of TALLY's counted steps before and after their layers and transfers, for the rank of JOB. */
void measure_outside(struct answers *, const struct join *, const struct recording *, const struct classes *,
    const struct instances *, const struct steps *, const struct step_tally *, struct trace_job, struct place at);
/* Add the kernels in order by step, to find repetition. */
void measure_sequence(struct sequence *, const struct join *, const struct recording *, const struct steps *,
    struct place at);

#endif
