/* Known: kernels whose time was measured, by their shapes; and the file in which they are kept from run to run. */
#ifndef KNOWN_H
#define KNOWN_H

#include "sample.h"

struct known {
	size_t n;
	uint64_t *at;		/* hashes of keys, ascending */
};

/* The kernels of S, and those of the file PATH, which they are merged into; NULL: there is none. */
struct known known_read(const struct sample *s, const char *path);
bool known_has(const struct known *, const struct observed_kernel *, const char *device);
void known_free(struct known *);

#endif
