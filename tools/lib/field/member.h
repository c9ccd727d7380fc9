/* Access members of a struct by their numbers in its field table. */
#ifndef MEMBER_H
#define MEMBER_H

#include "field.h"

/* Limit of numbers, so that their sums and products stay finite. */
#define LARGEST 1e18

/* The presence bits of a struct. */
static inline uint64_t *
member_given(const void *rec)
{
	return (uint64_t *)rec;
}

static inline void *
member_of(const void *rec, const struct field *f)
{
	return (char *)rec + f->offset;
}

/* Return member I: first those of the table, then those with other names. */
struct field member_at(const struct fields *, int i);

#endif
