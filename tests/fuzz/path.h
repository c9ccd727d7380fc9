/* Store bytes in a file, for readers that need a path. */
#ifndef FUZZ_PATH_H
#define FUZZ_PATH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

/* Valid until the next call. */
static inline const char *
path_of(const void *data, size_t size)
{
	static int file = -1;
	static char path[32];

	if (file < 0)
		file = memfd_create("fuzz", 0);
	if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	return path;
}

/* Discard the tools' output; its buffer is not allocated for the first input. */
static inline void
mute(void)
{
	static char buffer[BUFSIZ];
	static int muted;

	if (!muted++ && setvbuf(stdout, buffer, _IOFBF, sizeof buffer) != 0)
		abort();
}

#endif
