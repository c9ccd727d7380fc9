/* Measure: times of the layers that spans of the host name. */
#ifndef MEASURE_H
#define MEASURE_H

#include "sapp-trace/layers/join.h"
#include "sapp-trace/layers/tally.h"
#include "answers.h"

/* Add the kernels of JOIN to TALLY by instance. Return false if no kernel belongs to a layer. */
bool measure(const struct join *, const struct recording *, const struct classes *, const struct instances *,
    const struct steps *, struct step_tally *, struct place at);
/* Add the time before and after the layers and transfers in TALLY's counted steps, for the rank of JOB. */
void measure_outside(struct answers *, const struct join *, const struct recording *, const struct classes *,
    const struct instances *, const struct steps *, const struct step_tally *, struct trace_job, struct place at);
/* Add the kernels to the sequence in order by step, for the search for repetition. */
void measure_sequence(struct sequence *, const struct join *, const struct recording *, const struct steps *,
    struct place at);

#endif
