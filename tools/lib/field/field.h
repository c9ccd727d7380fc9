/*
 * Field tables. A table states each member of a record once. Reading, writing, freeing, and the messages "unknown
 * member" and "missing member" all use it.
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
	/*
	 * int, written as one of names[]. If set[] is given, it can also be FIELD_IS_SET with bits of set[], written as
	 * a list.
	 */
	FIELD_ENUM,
	FIELD_SET,	/* int, bits of set[], written as a list of their names */
	FIELD_LIST,	/* struct list; a number without brackets is a list of one */
	FIELD_TABLE,	/* struct table; a number without brackets is 1 x 1, a flat list is one chunk */
	FIELD_GRID,	/* struct grid; a flat list is one chunk */
	FIELD_AMOUNTS,	/* struct amounts, written as an object of numbers */
	FIELD_TEXTS,	/* struct texts, written as a list of strings */
	FIELD_ASSIGNMENTS,	/* struct texts of "NAME=value", written as an object of strings */
	/* char *, such as "8192,4096;1;", written as a list of lists of whole numbers; a semicolon ends each list */
	FIELD_SHAPES,
	FIELD_OBJECT,	/* a struct in place, with the fields in sub[] */
	FIELD_ARRAY,	/* struct array, whose elements are structs with the fields in sub[] */
	/*
	 * struct array, whose elements are structs with the fields in sub[]. Written as an object. The first field of
	 * each struct is its name in the object
	 */
	FIELD_MAP,
};

/* The values that a member may have. For numbers: the sign. For strings: LINES allows several lines. */
enum field_sign { ANY, NONNEGATIVE, POSITIVE, LINES };

enum { FIELD_IS_SET = 1 << 30 };

struct array {		/* structs of one field table */
	int n;
	void *at;
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset;
	bool optional;
	/* write a table or grid of one chunk as a flat list, and a list of one number with brackets */
	bool flat;
	enum field_sign sign;		/* sign of numbers; for strings ANY or LINES */
	const char *const *names;	/* values of a FIELD_ENUM by name; NULL-terminated */
	const char *const *set;		/* bits of a FIELD_SET or FIELD_ENUM by name; NULL-terminated */
	/* fields of a FIELD_OBJECT's struct, or of each struct in a FIELD_ARRAY or FIELD_MAP */
	const struct fields *sub;
};

/*
 * A struct with a field table begins with "uint64_t given", in which bit i is set if the member of field i is present.
 */
struct fields {
	const char *name;		/* name of the record in messages, such as "layer" */
	size_t size;			/* bytes of one struct */
	int n;
	const struct field *field;
	bool exact;			/* write numbers so that they read back the same */
	/*
	 * Further members, which take their names from another list. All have the type of OTHERS, and follow one
	 * another from its offset. OTHER returns the index of a name, or exits. OTHER_NAMES[nothers] has the names by
	 * index. Bit n + i of given is set if further member i is present.
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

/* For records of questions. Numbers must read back the same, or answers would not match their question. */
#define EXACT_FIELDS(s, json) { .name = json, .size = sizeof(struct s), \
	.n = sizeof s##_field / sizeof s##_field[0], .field = s##_field, .exact = true }

/* Return whether an optional member is present. Mark an optional member as present. */
bool field_given(const struct fields *, const void *rec, size_t offset);
void field_give(const struct fields *, void *rec, size_t offset);
/* Return the bit for a member in given. */
uint64_t field_bit(const struct fields *, size_t offset);
#define GIVEN(s, rec, m) field_given(&s##_fields, rec, offsetof(struct s, m))
#define GIVE(s, rec, m, value) ((rec)->m = (value), field_give(&s##_fields, rec, offsetof(struct s, m)))
#define FORGET(s, rec, m) ((rec)->given &= ~field_bit(&s##_fields, offsetof(struct s, m)))

/*
 * Fill *REC from OBJECT. Exit, naming AT, the table and the member, if any member is invalid. The member "kind" at the
 * top is left to the reader of the stream.
 */
void fields_get(const struct fields *, void *rec, json_t *object, struct place at);
/* Return an object with the required members of *REC and those that are present, in the order of the table. */
json_t *fields_put(const struct fields *, const void *rec);
/* Deep-copy *FROM into the zeroed *TO. */
void fields_copy(const struct fields *, void *to, const void *from);
/*
 * Exit unless fields_get() would accept TEXT as the member F. For texts that do not come from records, such as file
 * names.
 */
void field_check_text(const struct field *f, const char *text);
/* Return the JSON value of a member stored at FROM. */
json_t *field_value(const struct field *, const void *from);
void fields_free(const struct fields *, void *rec);
/* Append a zeroed struct to an array. Return a pointer to it. */
void *array_add(const struct fields *, struct array *);

#endif
