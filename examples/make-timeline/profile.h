/* Profile: a profiler's files for the kernels of a network on each stage of a pipeline, and the true times. */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdint.h>

/* Draw a network and a job with SEED, write a profile of each stage into DIR, and the true times to standard output. */
void profile_draw(const char *dir, uint64_t seed);

#endif
