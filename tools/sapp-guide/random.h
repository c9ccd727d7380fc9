/* Random numbers that are the same everywhere: splitmix64. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

static inline uint64_t
random_next(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Evenly from 0 to N - 1. */
static inline int
random_below(uint64_t *seed, int n)
{
	return (int)(((random_next(seed) >> 32) * (uint64_t)n) >> 32);
}

/* Evenly from [0, 1). */
static inline double
random_unit(uint64_t *seed)
{
	return (double)(random_next(seed) >> 11) * 0x1p-53;
}

#endif
