/* Allocation that ends the program with a message if memory runs out. */
#ifndef ALLOC_H
#define ALLOC_H

#include <stdarg.h>
#include <stddef.h>

void *alloc_checked(void *);	/* exit if the argument is NULL */
void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
/*
 * Append one element to AT, an array of N elements: *APPEND(a->at, a->n) = x. Only this macro may grow the array. Its
 * room is the next power of two.
 */
#define APPEND(at, n) ((at) = array_room((at), (size_t)(n), sizeof *(at)), &(at)[(n)++])
void *array_room(void *at, size_t n, size_t size);
/*
 * From now on keep freed memory in the process, if malloc() supports this. Threads that allocate and free large tables
 * again and again need it. Getting fresh pages from the kernel takes them as much time as their work.
 */
void alloc_hold(void);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xvasprintf(const char *fmt, va_list) __attribute__((format(printf, 1, 0)));
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
