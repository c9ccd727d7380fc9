/*
 * Preloaded library: allocation number FAULT_AT of the program FAULT_TOOL fails; with FAULT_ON all later allocations
 * fail also. Other programs are unaffected. The number of allocations is written to FAULT_COUNT at exit.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_memalign(size_t, size_t);
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static atomic_long counted;
static long fail_at = -1;	/* number of the allocation to fail; -1: none */
static bool go_on, ours;

static bool
fails(void)
{
	long n;

	if (!ours)
		return false;
	n = atomic_fetch_add(&counted, 1) + 1;
	if (fail_at < 0 || n < fail_at || (n > fail_at && !go_on))
		return false;
	errno = ENOMEM;
	return true;
}

/* Replace also the C library's own names, which lib/base/malloc.c calls. */
void *
__libc_malloc(size_t n)
{
	return fails() ? NULL : __libc_memalign(16, n);
}

void *
__libc_calloc(size_t n, size_t size)
{
	size_t all;
	void *p = NULL;

	if (__builtin_mul_overflow(n, size, &all))
		errno = ENOMEM;
	else if (!fails())
		p = __libc_memalign(16, all);
	return p != NULL ? memset(p, 0, all) : NULL;
}

void *
__libc_realloc(void *old, size_t n)
{
	size_t had = old != NULL ? malloc_usable_size(old) : 0;
	void *p = fails() ? NULL : __libc_memalign(16, n);

	if (p != NULL && old != NULL) {
		memcpy(p, old, had < n ? had : n);
		free(old);
	}
	return p;
}

void *
malloc(size_t n)
{
	return __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return __libc_realloc(p, n);
}

void *
reallocarray(void *p, size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, all);
}

void *
aligned_alloc(size_t alignment, size_t n)
{
	return fails() ? NULL : __libc_memalign(alignment, n);
}

int
posix_memalign(void **p, size_t alignment, size_t n)
{
	void *got = fails() ? NULL : __libc_memalign(alignment, n);

	if (got == NULL)
		return ENOMEM;
	*p = got;
	return 0;
}

/* Count allocations from main() on, without those of the loader. */
__attribute__((constructor)) static void
begin(void)
{
	const char *tool = getenv("FAULT_TOOL"), *at = getenv("FAULT_AT");

	fail_at = at != NULL ? atol(at) : -1;
	go_on = getenv("FAULT_ON") != NULL;
	ours = tool != NULL && strcmp(tool, program_invocation_short_name) == 0;
}

__attribute__((destructor)) static void
end(void)
{
	const char *path = getenv("FAULT_COUNT");
	char text[32];
	int fd, n;

	if (!ours || path == NULL)
		return;
	ours = false;
	n = snprintf(text, sizeof text, "%ld\n", (long)atomic_load(&counted));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || write(fd, text, (size_t)n) != n)
		_exit(99);
	close(fd);
}
