/* Allocation that ends the program with a message when memory runs out. */
#ifndef ALLOC_H
#define ALLOC_H

#include <stdarg.h>
#include <stddef.h>

void *alloc_checked(void *);	/* exits when it is NULL */
void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
/*
 * The new last element of AT, an array of N that grows by this alone: *APPEND(a->at, a->n) = x. It has room for the
 * next power of two.
 */
#define APPEND(at, n) ((at) = array_room((at), (size_t)(n), sizeof *(at)), &(at)[(n)++])
void *array_room(void *at, size_t n, size_t size);
/*
 * Memory that is freed stays with the process from now on, where malloc() can be told: for threads that take and free
 * tables without end, for which the kernel's pages take as long as what is computed in them.
 */
void alloc_hold(void);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xvasprintf(const char *fmt, va_list) __attribute__((format(printf, 1, 0)));
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
