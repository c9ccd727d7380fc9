/* Allocation that ends the program with a message when memory runs out. */
#ifndef ALLOC_H
#define ALLOC_H

#include <stdarg.h>
#include <stddef.h>

void *alloc_checked(void *);	/* exits if it is NULL */
void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
/*
 * Append one element to AT, an array of N elements that grows only by this macro: *APPEND(a->at, a->n) = x. The array
 * has room for the next power of two.
 */
#define APPEND(at, n) ((at) = array_room((at), (size_t)(n), sizeof *(at)), &(at)[(n)++])
void *array_room(void *at, size_t n, size_t size);
/*
 * Keep freed memory in the process from now on, if malloc() supports that. Threads that allocate and free large tables
 * repeatedly need it: fresh pages from the kernel take as long as the work in them.
 */
void alloc_hold(void);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xvasprintf(const char *fmt, va_list) __attribute__((format(printf, 1, 0)));
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
