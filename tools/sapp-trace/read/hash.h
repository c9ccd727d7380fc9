/* Hash of a short text (FNV-1a). */
#ifndef HASH_H
#define HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t
hash(const char *at, size_t n, uint64_t seed)
{
	uint64_t h = 0xcbf29ce484222325 ^ seed;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)at[i]) * 0x100000001b3;
	return h ^ h >> 32;
}

#endif
