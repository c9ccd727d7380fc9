/*
 * Field tables: each member of a record is stated once, and reading, writing,
 * "unknown member", "missing member" and freeing all come from that statement.
 */
#ifndef FIELD_H
#define FIELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/place.h"
#include "table.h"

enum field_type {
	FIELD_STRING,	/* char * */
	FIELD_INT,	/* int */
	FIELD_REAL,	/* double */
	FIELD_BOOL,	/* bool */
	FIELD_ENUM,	/* int, written as one of names[]; with set[], FIELD_IS_SET and bits of it instead, as a list */
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

/* What values may be: numbers of a sign; strings of one line, which names are, or LINES of any characters. */
enum field_sign { ANY, NONNEGATIVE, POSITIVE, LINES };

enum { FIELD_IS_SET = 1 << 30 };

struct array {		/* of structs that a field table describes */
	int n;
	void *at;
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset;
	bool optional;
	/* a table or grid of one chunk is written as a flat list, a list of one as a list */
	bool flat;
	enum field_sign sign;		/* of every number in it, or LINES */
	const char *const *names;	/* FIELD_ENUM: ended by NULL */
	const char *const *set;		/* FIELD_SET, FIELD_ENUM: ended by NULL */
	const struct fields *sub;	/* FIELD_OBJECT, FIELD_ARRAY, FIELD_MAP */
};

/* Every struct described here begins with "uint64_t given": bit i says that field i is there. */
struct fields {
	const char *name;		/* for messages: "layer" */
	size_t size;			/* of the struct */
	int n;
	const struct field *field;
	bool exact;			/* its numbers are written as they were given, to the last digit */
	/*
	 * Members of other names, if there may be any: one behind the other from the offset of OTHERS on, all of its
	 * type. OTHER says which one a name has, or exits; OTHER_NAMES[nothers] which name it has. Bit n + i of given
	 * says that other i is there.
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

/* Of what is asked, by options or files: what is made for it must be found for what was written, too. */
#define EXACT_FIELDS(s, json) { .name = json, .size = sizeof(struct s), \
	.n = sizeof s##_field / sizeof s##_field[0], .field = s##_field, .exact = true }

/* Is the optional member there?  Say that it is. */
bool field_given(const struct fields *, const void *rec, size_t offset);
void field_give(const struct fields *, void *rec, size_t offset);
/* The bit of a member in given. */
uint64_t field_bit(const struct fields *, size_t offset);
#define GIVEN(s, rec, m) field_given(&s##_fields, rec, offsetof(struct s, m))
#define GIVE(s, rec, m, value) ((rec)->m = (value), field_give(&s##_fields, rec, offsetof(struct s, m)))
#define FORGET(s, rec, m) ((rec)->given &= ~field_bit(&s##_fields, offsetof(struct s, m)))

/* Fill *REC from OBJECT; exits, naming AT, the table and the member, on anything that does not fit.
 * A member "kind" at the top level is the stream's and skipped. */
void fields_get(const struct fields *, void *rec, json_t *object, struct place at);
/* The members of *REC as a new object, in the table's order; required ones and those given. */
json_t *fields_put(const struct fields *, const void *rec);
/* Fill zeroed *TO with all that *FROM has, texts and lists its own. */
void fields_copy(const struct fields *, void *to, const void *from);
/*
 * Exits unless TEXT may be written as the member F: what no reader takes is not written. It may come from a file's
 * name.
 */
void field_check_text(const struct field *f, const char *text);
/* One member's value, FROM where it is in its struct. */
json_t *field_value(const struct field *, const void *from);
void fields_free(const struct fields *, void *rec);
/* Append one zeroed struct to an array and return it. */
void *array_add(const struct fields *, struct array *);

#endif
