/* Spans of time. */
#ifndef SPAN_H
#define SPAN_H

#include <stdint.h>

/* Return the length of the time common to [start, end) and [from, to), which must overlap. */
static inline int64_t
span_common(int64_t start, int64_t end, int64_t from, int64_t to)
{
	return (end < to ? end : to) - (start > from ? start : from);
}

#endif
