/* Known kernels: the shapes of kernels with measured times, and the file that collects them over runs. */
#ifndef KNOWN_H
#define KNOWN_H

#include "sample.h"

struct known {
	size_t n;
	uint64_t *at;		/* hashes of keys, in ascending order */
};

/* Return the kernels of S and of the file PATH. Merge the kernels of S into the file. PATH NULL: no file. */
struct known fit_known_read(const struct fit_sample *s, const char *path);
bool known_has(const struct known *, const struct observed_kernel *, const char *device);
void known_free(struct known *);

#endif
