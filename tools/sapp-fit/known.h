/* Known: shapes of kernels with measured times, and the file that accumulates them over runs. */
#ifndef KNOWN_H
#define KNOWN_H

#include "sample.h"

struct known {
	size_t n;
	uint64_t *at;		/* hashes of keys, ascending */
};

/* Return the kernels of S and of the file PATH, and merge S into the file. PATH NULL: no file. */
struct known fit_known_read(const struct fit_sample *s, const char *path);
bool known_has(const struct known *, const struct observed_kernel *, const char *device);
void known_free(struct known *);

#endif
