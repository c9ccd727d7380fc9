/* Device: a file of kernels without names of layers, from the first to the times of the layers. */
#ifndef DEVICE_H
#define DEVICE_H

#include "answers.h"
#include "sapp-trace/sequence/sequence.h"

/*
 * Find the layers of SEQUENCE, which is sorted, by what repeats, and add them: of the rank and stage of JOB. SOURCE,
 * the file's name, must outlive the answers. False, with what there is in *WHY (to be freed): nothing repeats as
 * layers do. What other files may tell waits for them: then the sequence is taken, and left empty.
 */
bool device_measure(struct sequence *, struct job, const struct question *, struct answers *, const char *source,
    char **why);
/* When all files have been read: the next that waited, its name in *SOURCE; *SOURCE NULL: there is none. */
bool device_next(const struct question *, struct answers *, const char **source, char **why);
/* device_measure() of a kernel_details.csv. */
bool device_read(const char *path, const struct question *, struct answers *, char **why);

#endif
