/* Hashes (FNV-1a) of texts and of sequences of numbers. No output of a tool depends on them. */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

/* Start a hash. SEED: 0, or a number that makes hashes of several tables differ. */
static inline uint64_t
hash_begin(uint64_t seed)
{
	return 0xcbf29ce484222325 ^ seed;
}

static inline uint64_t
hash_add(uint64_t hash, uint64_t number)
{
	return (hash ^ number) * 0x100000001b3;
}

/* Finish a hash: mix its upper bits into the lower ones, since tables use the lower ones. */
static inline uint64_t
hash_end(uint64_t hash)
{
	return hash ^ hash >> 32;
}

static inline uint64_t
hash_text(const char *at, size_t n, uint64_t seed)
{
	uint64_t h = hash_begin(seed);

	for (size_t i = 0; i < n; i++)
		h = hash_add(h, (unsigned char)at[i]);
	return hash_end(h);
}

#endif
