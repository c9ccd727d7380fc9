/*
 * Field tables: state each member of a record once. Reading, writing, freeing and the messages "unknown member" and
 * "missing member" all use the table.
 */
#ifndef FIELD_H
#define FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/place.h"
#include "lib/base/table.h"

enum field_type {
	FIELD_STRING,	/* char * */
	FIELD_INT,	/* int */
	FIELD_REAL,	/* double */
	FIELD_BOOL,	/* bool */
	/* int, written as one of names[]; with set[] also FIELD_IS_SET plus bits of set[], written as a list */
	FIELD_ENUM,
	FIELD_SET,	/* int, bits of set[], written as a list of names */
	FIELD_LIST,	/* struct list; a bare number is a list of one */
	FIELD_TABLE,	/* struct table; a bare number is 1 x 1, a flat list is one chunk */
	FIELD_GRID,	/* struct grid; a flat list is one chunk */
	FIELD_AMOUNTS,	/* struct amounts; an object of numbers */
	FIELD_TEXTS,	/* struct texts; a list of strings */
	FIELD_ASSIGNMENTS,	/* struct texts, "NAME=value" each; an object of strings */
	FIELD_SHAPES,	/* char *, "8192,4096;1;" for a list of lists of whole numbers: each ends with a semicolon */
	FIELD_OBJECT,	/* a struct described by sub, in place */
	FIELD_ARRAY,	/* struct array of structs described by sub */
	FIELD_MAP,	/* struct array of structs described by sub, keyed by their first member after given */
};

/* Allowed values: the sign of numbers. Strings must be a single line, except with LINES. */
enum field_sign { ANY, NONNEGATIVE, POSITIVE, LINES };

enum { FIELD_IS_SET = 1 << 30 };

struct array {		/* structs described by a field table */
	int n;
	void *at;
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset;
	bool optional;
	/* write a table or grid of one chunk as a flat list, and a list of one number as a list */
	bool flat;
	enum field_sign sign;		/* sign of its numbers; LINES: type of its strings */
	const char *const *names;	/* FIELD_ENUM: NULL-terminated */
	const char *const *set;		/* FIELD_SET, FIELD_ENUM: NULL-terminated */
	const struct fields *sub;	/* FIELD_OBJECT, FIELD_ARRAY, FIELD_MAP */
};

/* Every struct of a field table begins with "uint64_t given": bit i is set if field i is present. */
struct fields {
	const char *name;		/* for messages: "layer" */
	size_t size;			/* bytes of the struct */
	int n;
	const struct field *field;
	bool exact;			/* write numbers exactly, to the last digit */
	/*
	 * Members with names of another table, all of the type of OTHERS, one after the other from its offset. OTHER
	 * returns the index of a name or exits; OTHER_NAMES[nothers] is the reverse. Bit n + i of given is set if other
	 * member i is present.
	 */
	const struct field *others;
	int nothers;
	int (*other)(const char *name, struct place);
	const char *const *other_names;
};

#define FIELD_TYPE(s, m) _Generic(((struct s *)0)->m, char *: FIELD_STRING, int: FIELD_INT, \
	double: FIELD_REAL, bool: FIELD_BOOL, struct list: FIELD_LIST, struct table: FIELD_TABLE, \
	struct grid: FIELD_GRID, struct amounts: FIELD_AMOUNTS, struct texts: FIELD_TEXTS)
#define NAMED(json, s, m, opt, sgn) { .name = json, .type = FIELD_TYPE(s, m), .offset = offsetof(struct s, m), \
	.optional = opt, .sign = sgn }
#define REQUIRED(s, m, sgn) NAMED(#m, s, m, false, sgn)
#define OPTIONAL(s, m, sgn) NAMED(#m, s, m, true, sgn)
#define CHOICE(s, m, opt, nms) { .name = #m, .type = FIELD_ENUM, .offset = offsetof(struct s, m), \
	.optional = opt, .names = nms }
#define CHOICES(s, m, opt, nms) { .name = #m, .type = FIELD_SET, .offset = offsetof(struct s, m), \
	.optional = opt, .set = nms }
#define NESTED(typ, s, m, opt, tab) { .name = #m, .type = typ, .offset = offsetof(struct s, m), \
	.optional = opt, .sub = tab }
#define SHAPES(s, m) { .name = #m, .type = FIELD_SHAPES, .offset = offsetof(struct s, m), .optional = true }
#define FIELDS(s, json) { .name = json, .size = sizeof(struct s), \
	.n = sizeof s##_field / sizeof s##_field[0], .field = s##_field }

/* For records of questions: written numbers must read back the same, or answers would not match their question. */
#define EXACT_FIELDS(s, json) { .name = json, .size = sizeof(struct s), \
	.n = sizeof s##_field / sizeof s##_field[0], .field = s##_field, .exact = true }

/* Test and set the presence of an optional member. */
bool field_given(const struct fields *, const void *rec, size_t offset);
void field_give(const struct fields *, void *rec, size_t offset);
/* Return the bit of a member in given. */
uint64_t field_bit(const struct fields *, size_t offset);
#define GIVEN(s, rec, m) field_given(&s##_fields, rec, offsetof(struct s, m))
#define GIVE(s, rec, m, value) ((rec)->m = (value), field_give(&s##_fields, rec, offsetof(struct s, m)))
#define FORGET(s, rec, m) ((rec)->given &= ~field_bit(&s##_fields, offsetof(struct s, m)))

/*
 * Fill *REC from OBJECT. Exits, naming AT, the table and the member, if anything does not fit. Skips the top-level
 * member "kind", which the stream handles.
 */
void fields_get(const struct fields *, void *rec, json_t *object, struct place at);
/* Return the required and the given members of *REC as a new object, in the order of the table. */
json_t *fields_put(const struct fields *, const void *rec);
/* Deep-copy *FROM into the zeroed *TO. */
void fields_copy(const struct fields *, void *to, const void *from);
/* Exit unless the reader would accept TEXT as the member F; for text that comes from elsewhere, such as file names. */
void field_check_text(const struct field *f, const char *text);
/* Return the value of one member, stored at FROM. */
json_t *field_value(const struct field *, const void *from);
void fields_free(const struct fields *, void *rec);
/* Append one zeroed struct to an array and return it. */
void *array_add(const struct fields *, struct array *);

#endif
