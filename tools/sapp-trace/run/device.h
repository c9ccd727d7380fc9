/* Device: from a file of kernels without names of layers to the times of its layers. */
#ifndef DEVICE_H
#define DEVICE_H

#include "sapp-trace/layers/sequence.h"
#include "answers.h"

/*
 * Find the layers of the sorted SEQUENCE by repetition, and add their times for the rank and stage of JOB. SOURCE, the
 * name of the file, must outlive the answers. Return false if nothing repeats like layers, with a description in *WHY
 * (caller frees). If the sequence can be divided only with other files, it is queued: its contents are moved, and it is
 * left empty.
 */
bool device_measure(struct sequence *, struct trace_job, const struct trace_question *, struct answers *,
    const char *source,
    char **why);
/*
 * When all files are read, measure the next queued file, *SOURCE; NULL: none is left. Return values as in
 * device_measure().
 */
bool device_next(const struct trace_question *, struct answers *, const char **source, char **why);
/* Read a kernel_details.csv and call device_measure(). */
bool device_read(const char *path, const struct trace_question *, struct answers *, char **why);

#endif
