/* Device: a file of kernels without names of layers, from the first to the times of the layers. */
#ifndef DEVICE_H
#define DEVICE_H

#include "answers.h"
#include "sapp-trace/sequence/sequence.h"

/*
 * Find the layers of SEQUENCE, which is sorted, by what repeats, and add them. SOURCE, the file's name, must outlive
 * the answers. False, with what there is in *WHY (to be freed): nothing repeats as layers do.
 */
bool device_measure(const struct sequence *, const struct question *, struct answers *, const char *source, char **why);
/* The same of a kernel_details.csv. */
bool device_read(const char *path, const struct question *, struct answers *, char **why);

#endif
