/* Members of a struct that a field table describes, by their numbers: what reading, writing and freeing go through. */
#ifndef MEMBER_H
#define MEMBER_H

#include "field.h"

/* Sums and products of numbers up to here stay far from infinity. */
#define LARGEST 1e18

/* The bits of those that are there. */
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

/* Member number I: of the table, or of other names behind those. */
struct field member_at(const struct fields *, int i);

#endif
