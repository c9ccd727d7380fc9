/* Device: from a file of kernels without layer names to the times of its layers. */
#ifndef DEVICE_H
#define DEVICE_H

#include "sapp-trace/layers/sequence.h"
#include "answers.h"

/*
 * Find the layers of the sorted SEQUENCE by repetition and add them, for the rank and stage of JOB. SOURCE, the file's
 * name, must outlive the answers. False, with a description in *WHY (caller frees): nothing repeats like layers. A
 * sequence that needs other files is queued: it is taken and left empty.
 */
bool device_measure(struct sequence *, struct trace_job, const struct trace_question *, struct answers *,
    const char *source,
    char **why);
/* After reading all files: measure the next queued one, *SOURCE; NULL if none exists. */
bool device_next(const struct trace_question *, struct answers *, const char **source, char **why);
/* Do device_measure() for a kernel_details.csv. */
bool device_read(const char *path, const struct trace_question *, struct answers *, char **why);

#endif
