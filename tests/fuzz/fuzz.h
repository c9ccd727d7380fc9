/* Shared by all fuzz targets: a message that would end the program ends only the current input, without leaks. */
#ifndef FUZZ_H
#define FUZZ_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUZZ_HOOKS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define FUZZ_HOOKS
#endif
#ifdef FUZZ_HOOKS
/* Function of the sanitizers' allocator; gcc has no header for it. */
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t), void (*)(const volatile void *));
#endif

#include "lib/base/place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static jmp_buf fuzz_back;

/*
 * Unfreed allocations of the current input: a hash set, and its used slots. Without the address sanitizer allocations
 * are unknown, and a message leaks them.
 */
enum { FUZZ_BITS = 23, FUZZ_SLOTS = 1 << FUZZ_BITS };	/* more than the steps of a script may take */
static const volatile void *fuzz_set[FUZZ_SLOTS];
static uint32_t fuzz_used[FUZZ_SLOTS];
static int fuzz_n;
static _Thread_local int fuzz_on;	/* libFuzzer watches memory in a thread, which also allocates */

static inline uint32_t
fuzz_slot(const volatile void *p)
{
	return (uint32_t)(((uintptr_t)p >> 4) * 0x9e3779b97f4a7c15 >> (64 - FUZZ_BITS));
}

static inline void
fuzz_malloc(const volatile void *p, size_t size)
{
	uint32_t i = fuzz_slot(p);

	(void)size;
	if (!fuzz_on || fuzz_n == FUZZ_SLOTS / 2)
		return;
	/* Use a marked slot again: freed pointers are in no slot. */
	while (fuzz_set[i] != NULL && fuzz_set[i] != p && fuzz_set[i] != &fuzz_set[i])
		i = (i + 1) % FUZZ_SLOTS;
	if (fuzz_set[i] == NULL)
		fuzz_used[fuzz_n++] = i;
	fuzz_set[i] = p;
}

/* Mark a freed slot, so that pointers stored after it are still found. */
static inline void
fuzz_free(const volatile void *p)
{
	uint32_t i = fuzz_slot(p);

	while (fuzz_on && p != NULL && fuzz_set[i] != NULL && fuzz_set[i] != p)
		i = (i + 1) % FUZZ_SLOTS;
	if (fuzz_on && p != NULL && fuzz_set[i] == p)
		fuzz_set[i] = &fuzz_set[i];
}

/*
 * libc lists the streams that an input leaves open, so they are closed, not just freed. Their unwritten output is
 * dropped, as its destination may be in a stack frame that no longer exists. The linker substitutes these functions for
 * those of libc.
 */
enum { FUZZ_STREAMS = 64 };
static FILE *fuzz_stream[FUZZ_STREAMS];

FILE *__real_fopen(const char *, const char *);
FILE *__wrap_fopen(const char *, const char *);
FILE *__real_fopencookie(void *, const char *, cookie_io_functions_t);
FILE *__wrap_fopencookie(void *, const char *, cookie_io_functions_t);
int __real_fclose(FILE *);
int __wrap_fclose(FILE *);

/* Replace FROM by TO. */
static inline FILE *
fuzz_note(FILE *from, FILE *to)
{
	for (int i = 0; i < FUZZ_STREAMS && from != to; i++)
		if (fuzz_stream[i] == from) {
			fuzz_stream[i] = to;
			break;
		}
	return to;
}

FILE *
__wrap_fopen(const char *path, const char *mode)
{
	FILE *f = __real_fopen(path, mode);

	return fuzz_on ? fuzz_note(NULL, f) : f;
}

FILE *
__wrap_fopencookie(void *cookie, const char *mode, cookie_io_functions_t io)
{
	FILE *f = __real_fopencookie(cookie, mode, io);

	return fuzz_on ? fuzz_note(NULL, f) : f;
}

int
__wrap_fclose(FILE *f)
{
	fuzz_note(f, NULL);
	return __real_fclose(f);
}

static inline void
fuzz_end(void)
{
	for (int i = 0; i < FUZZ_STREAMS; i++)
		if (fuzz_stream[i] != NULL) {
			__fpurge(fuzz_stream[i]);
			__real_fclose(fuzz_stream[i]);
			fuzz_stream[i] = NULL;
		}
	fuzz_on = 0;
	for (int i = 0; i < fuzz_n; i++) {
		void *p = (void *)fuzz_set[fuzz_used[i]];

		if (p != (void *)&fuzz_set[fuzz_used[i]])
			free(p);
		fuzz_set[fuzz_used[i]] = NULL;
	}
	fuzz_n = 0;
}

/*
 * Number of inputs begun, and of inputs that ended with a message: a target where all end with messages tests little.
 */
extern unsigned long fuzz_begun, fuzz_refused;
unsigned long fuzz_begun, fuzz_refused;

static inline void
fuzz_exit(int status)
{
	fuzz_refused++;
	longjmp(fuzz_back, status + 1);
}

static inline void
fuzz_begin(void)
{
#ifdef FUZZ_HOOKS
	static int hooked;

	if (!hooked++)
		__sanitizer_install_malloc_and_free_hooks(fuzz_malloc, fuzz_free);
#endif
	fuzz_begun++;
	place_exit = fuzz_exit;
	fuzz_on = 1;
}

/* if (FUZZ_BEGIN()) { ... } fuzz_end(); */
#define FUZZ_BEGIN() (fuzz_begin(), setjmp(fuzz_back) == 0)

#endif
