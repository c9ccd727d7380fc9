/* Allocation that ends the program with a message when memory runs out. */
#ifndef ALLOC_H
#define ALLOC_H

#include <stddef.h>

void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
