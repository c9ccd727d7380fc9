/*
 * malloc() and its kin, also for the libraries that a tool links. Some libraries, such as lp_solve, go on after a
 * failed allocation, while ending with a message is better. Sanitizers have allocators of their own.
 */
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "alloc.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *
malloc(size_t n)
{
	return alloc_checked(__libc_malloc(n));
}

void *
calloc(size_t n, size_t size)
{
	return alloc_checked(__libc_calloc(n, size));
}

void *
realloc(void *p, size_t n)
{
	void *q = __libc_realloc(p, n);

	/* realloc(P, 0) frees P and may return NULL. */
	return n == 0 && p != NULL ? q : alloc_checked(q);
}

void
alloc_hold(void)
{
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	mallopt(M_TOP_PAD, 16 << 20);
}

#else

void
alloc_hold(void)
{
}

#endif
