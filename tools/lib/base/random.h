/*
 * Random numbers that are the same on every machine. A generator is one number, both its state and its seed. Results of
 * tools depend on the sequence of each generator, so one must not be replaced by another.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

#define RANDOM_ODD 0x9e3779b97f4a7c15u	/* 2^64 / golden ratio, which spreads seeds */

/* splitmix64 (Steele, Lea and Flood 2014), for any seed. */
static inline uint64_t
random_next(uint64_t *state)
{
	uint64_t z = *state += RANDOM_ODD;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Return a uniform whole number from 0 to N - 1. */
static inline int
random_below(uint64_t *state, int n)
{
	return (int)(((random_next(state) >> 32) * (uint64_t)n) >> 32);
}

/* Return a uniform number in [0, 1). */
static inline double
random_unit(uint64_t *state)
{
	return (double)(random_next(state) >> 11) * 0x1p-53;
}

/* xorshift64 (Marsaglia 2003), the fastest. The state must not be 0. The upper bits are better than the lower ones. */
static inline uint64_t
xorshift_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static inline int
xorshift_below(uint64_t *state, int n)
{
	return (int)((xorshift_next(state) >> 11) % (uint64_t)n);
}

static inline double
xorshift_unit(uint64_t *state)
{
	return (double)(xorshift_next(state) >> 11) * 0x1p-53;
}

/*
 * Return a number in [0, 1) in steps of 2^-16, from a linear congruential generator. Sufficient for small
 * perturbations.
 */
static inline double
congruential_unit(uint32_t *state)
{
	*state = *state * 1103515245u + 12345u;
	return (double)(*state >> 8 & 0xffff) / 65536;
}

#endif
