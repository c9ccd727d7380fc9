/* Access to the members of a struct by their numbers in its field table. */
#ifndef MEMBER_H
#define MEMBER_H

#include "field.h"

/* Maximum magnitude of a number. It keeps sums and products of numbers finite. */
#define LARGEST 1e18

/* The bits of the members that are present. */
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

/* Return the field of member I. Fields of the table come first, then the further members. */
struct field member_at(const struct fields *, int i);

#endif
