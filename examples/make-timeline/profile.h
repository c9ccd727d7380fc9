/* Profile: what a profiler writes of the kernels of a network on each stage of a pipeline, and what is true of it. */
#ifndef PROFILE_H
#define PROFILE_H

#include <stdint.h>

/* Draw a network and a job by SEED, write a profile of each stage into DIR, and the truth to standard output. */
void profile_draw(const char *dir, uint64_t seed);

#endif
