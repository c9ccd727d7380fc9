/* Field tables: reading, writing and freeing the structs they describe. */
#include "field.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/control.h"
#include "lib/base/spelling.h"
#include "xjson.h"

/* Sums and products of numbers up to here stay far from infinity. */
#define LARGEST 1e18

/* What is being read, for messages: "layer: memory_parameter" or "fit: residuals: stage". */
struct context {
	struct place at;
	const char *name;
	const struct context *outer;
};

/* The path from the record's kind down to the member; to be freed. */
static char *
path(const struct context *c)
{
	char *p = xstrdup(c->name), *longer;

	for (c = c->outer; c != NULL; c = c->outer) {
		longer = xasprintf("%s: %s", c->name, p);
		free(p);
		p = longer;
	}
	return p;
}

/* HINT: what may be meant instead, behind the value. */
static _Noreturn void
misspelt(const struct context *c, const char *what, json_t *value, const char *hint)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

	/* Long values tell nobody anything; the line number leads to the whole. */
	place_die(c->at, "%s: %s '%.60s%s'%s", path(c), what, text ? text : "", text && strlen(text) > 60 ? "..." : "",
	    hint);
}

static _Noreturn void
bad(const struct context *c, const char *what, json_t *value)
{
	misspelt(c, what, value, "");
}

static struct context
inside(const struct context *c, const char *name)
{
	return (struct context){ c->at, name, c };
}

static uint64_t *
given(const void *rec)
{
	return (uint64_t *)rec;
}

static void *
member(const void *rec, const struct field *f)
{
	return (char *)rec + f->offset;
}

static size_t
size_of(enum field_type type)
{
	static const size_t size[] = {
		[FIELD_STRING] = sizeof(char *), [FIELD_INT] = sizeof(int), [FIELD_REAL] = sizeof(double),
		[FIELD_BOOL] = sizeof(bool), [FIELD_ENUM] = sizeof(int), [FIELD_LIST] = sizeof(struct list),
		[FIELD_TABLE] = sizeof(struct table), [FIELD_GRID] = sizeof(struct grid),
		[FIELD_AMOUNTS] = sizeof(struct amounts), [FIELD_TEXTS] = sizeof(struct texts),
	};

	return size[type];
}

/* Member number I: of the table, or of other names behind those. */
static struct field
field_at(const struct fields *t, int i)
{
	struct field f;

	if (i < t->n)
		return t->field[i];
	f = *t->others;
	f.name = t->other_names[i - t->n];
	f.offset += (size_t)(i - t->n) * size_of(f.type);
	return f;
}

/* The number of the member of that name; -1: there is none. */
static int
find_field(const struct fields *t, const char *name, struct place at)
{
	for (int i = 0; i < t->n; i++)
		if (strcmp(t->field[i].name, name) == 0)
			return i;
	return t->others == NULL ? -1 : t->n + t->other(name, at);
}

uint64_t
field_bit(const struct fields *t, size_t offset)
{
	for (int i = 0; i < t->n; i++)
		if (t->field[i].offset == offset)
			return (uint64_t)1 << i;
	for (int i = t->n; i < t->n + t->nothers; i++)
		if (field_at(t, i).offset == offset)
			return (uint64_t)1 << i;
	assert(!"a member that the table does not have");
	return 0;
}

bool
field_given(const struct fields *t, const void *rec, size_t offset)
{
	return *given(rec) & field_bit(t, offset);
}

void
field_give(const struct fields *t, void *rec, size_t offset)
{
	*given(rec) |= field_bit(t, offset);
}

static double
get_real(const struct context *c, const struct field *f, json_t *v)
{
	double x = json_number_value(v);

	if (!json_is_number(v))
		bad(c, "not a number", v);
	if (fabs(x) > LARGEST)
		bad(c, "out of range", v);
	if (f->sign == NONNEGATIVE && x < 0)
		bad(c, "negative", v);
	if (f->sign == POSITIVE && x <= 0)
		bad(c, "not positive", v);
	return x;
}

static int
get_int(const struct context *c, const struct field *f, json_t *v)
{
	if (!json_is_integer(v))
		bad(c, "not a whole number", v);
	if (json_integer_value(v) > INT_MAX || json_integer_value(v) < -INT_MAX)
		bad(c, "out of range", v);
	get_real(c, f, v);
	return (int)json_integer_value(v);
}

static int
get_enum(const struct context *c, const struct field *f, json_t *v)
{
	if (!json_is_string(v))
		bad(c, "not a string", v);
	for (int i = 0; f->names[i] != NULL; i++)
		if (strcmp(f->names[i], json_string_value(v)) == 0)
			return i;
	misspelt(c, xasprintf("not one of%s:", spelling_known("", f->names)), v,
	    spelling_hint(json_string_value(v), f->names));
}

/* Rows and columns of a number, a flat list or a list of equally long lists. */
static void
shape(const struct context *c, json_t *v, int *chunks, int *stages)
{
	json_t *row = v;

	*chunks = 1;
	if (json_is_array(v) && json_is_array(json_array_get(v, 0))) {
		*chunks = (int)json_array_size(v);
		row = json_array_get(v, 0);
		for (int i = 1; i < *chunks; i++)
			if (json_array_size(json_array_get(v, (size_t)i)) != json_array_size(row))
				bad(c, "rows are not equally long", v);
	}
	*stages = json_is_array(row) ? (int)json_array_size(row) : 1;
	if (*stages == 0)
		bad(c, "empty", v);
}

static json_t *
element(json_t *v, int chunk, int stage)
{
	if (json_is_array(v) && json_is_array(json_array_get(v, 0)))
		v = json_array_get(v, (size_t)chunk);
	return json_is_array(v) ? json_array_get(v, (size_t)stage) : v;
}

static void get_struct(const struct context *, const struct fields *, void *, json_t *);

static void
get_array(const struct context *c, const struct field *f, struct array *a, json_t *v)
{
	json_t *each;
	size_t i;

	if (!json_is_array(v))
		bad(c, "not a list", v);
	json_array_foreach(v, i, each)
		get_struct(c, f->sub, array_add(f->sub, a), each);
}

/* Each member of an object: a structure with its name, or an amount of it. */
static void
get_members(const struct context *c, const struct field *f, void *to, json_t *v)
{
	const char *key;
	json_t *each;

	if (!json_is_object(v))
		bad(c, "not an object", v);
	json_object_foreach(v, key, each) {
		struct context in = inside(c, key);

		if (control_any(key))
			bad(c, "control characters", v);
		if (f->type == FIELD_AMOUNTS) {
			amounts_add(to, key, get_real(&in, f, each));
		} else {
			char *rec = array_add(f->sub, to);

			*(char **)(rec + sizeof(uint64_t)) = xstrdup(key);
			get_struct(&in, f->sub, rec, each);
		}
	}
}

static void
get_texts(const struct context *c, const struct field *f, struct texts *t, json_t *v)
{
	json_t *each;
	size_t i;

	if (!json_is_array(v))
		bad(c, "not a list", v);
	json_array_foreach(v, i, each) {
		if (!json_is_string(each))
			bad(c, "not a string", each);
		if (f->sign != LINES && control_any(json_string_value(each)))
			bad(c, "control characters", each);
		texts_add(t, json_string_value(each));
	}
}

static void
get_field(const struct context *c, const struct field *f, void *to, json_t *v)
{
	int chunks, stages;

	switch (f->type) {
	case FIELD_STRING:
		if (!json_is_string(v))
			bad(c, "not a string", v);
		/* Names go into reports, file names and settings, where a newline or an escape would be more. */
		if (f->sign != LINES && control_any(json_string_value(v)))
			bad(c, "control characters", v);
		*(char **)to = xstrdup(json_string_value(v));
		break;
	case FIELD_INT:
		*(int *)to = get_int(c, f, v);
		break;
	case FIELD_REAL:
		*(double *)to = get_real(c, f, v);
		break;
	case FIELD_BOOL:
		if (!json_is_boolean(v))
			bad(c, "neither true nor false", v);
		*(bool *)to = json_is_true(v);
		break;
	case FIELD_ENUM:
		*(int *)to = get_enum(c, f, v);
		break;
	case FIELD_LIST:
		/* An empty list of stages means "none" in a result; a table is never empty. */
		if (json_is_array(v) && json_array_size(v) == 0)
			break;
		shape(c, v, &chunks, &stages);
		if (chunks != 1)
			bad(c, "not one number per stage", v);
		*(struct list *)to = list_new(stages);
		for (int i = 0; i < stages; i++)
			((struct list *)to)->at[i] = get_real(c, f, element(v, 0, i));
		break;
	case FIELD_TABLE:
		shape(c, v, &chunks, &stages);
		*(struct table *)to = table_new(chunks, stages);
		for (int i = 0; i < chunks * stages; i++)
			((struct table *)to)->at[i] = get_real(c, f, element(v, i / stages, i % stages));
		break;
	case FIELD_GRID:
		if (f->flat && json_is_array(v) && json_array_size(v) == 0)
			break;
		shape(c, v, &chunks, &stages);
		*(struct grid *)to = grid_new(chunks, stages);
		for (int i = 0; i < chunks * stages; i++)
			((struct grid *)to)->at[i] = get_int(c, f, element(v, i / stages, i % stages));
		break;
	case FIELD_AMOUNTS:
		get_members(c, f, to, v);
		break;
	case FIELD_TEXTS:
		get_texts(c, f, to, v);
		break;
	case FIELD_OBJECT:
		get_struct(c, f->sub, to, v);
		break;
	case FIELD_ARRAY:
		get_array(c, f, to, v);
		break;
	case FIELD_MAP:
		get_members(c, f, to, v);
		break;
	}
}

static _Noreturn void
unknown(const struct context *c, const struct fields *t, const char *key, json_t *v)
{
	const char **names = xcalloc((size_t)t->n + 1, sizeof *names);

	for (int i = 0; i < t->n; i++)
		names[i] = t->field[i].name;
	misspelt(c, "unknown member", v, spelling_hint(key, names));
}

static void
get_struct(const struct context *c, const struct fields *t, void *rec, json_t *object)
{
	const char *key;
	json_t *v;

	if (!json_is_object(object))
		bad(c, "not an object", object);
	json_object_foreach(object, key, v) {
		struct context in = inside(c, key);
		int i = find_field(t, key, c->at);
		struct field f;

		if (i < 0)
			unknown(&in, t, key, v);
		f = field_at(t, i);
		get_field(&in, &f, member(rec, &f), v);
		*given(rec) |= (uint64_t)1 << i;
	}
	for (int i = 0; i < t->n; i++)
		if (!t->field[i].optional && !(*given(rec) >> i & 1))
			place_die(c->at, "%s: missing member '%s'", path(c), t->field[i].name);
}

void
fields_get(const struct fields *t, void *rec, json_t *object, struct place at)
{
	struct context c = { .at = at, .name = t->name };

	json_object_del(object, "kind");
	get_struct(&c, t, rec, object);
}

/* Whole reals are written as integers: 56000, not 56000.0. */
static json_t *
put_real(double x)
{
	/* Divided by what is next to nothing. */
	if (!isfinite(x) || fabs(x) > LARGEST)
		place_die((struct place){ 0 }, "a result is no number: figures of the input are too far apart");
	if (x == floor(x) && fabs(x) < 1e15)
		return json_integer((json_int_t)x);
	return json_real(x);
}

static json_t *
put_row(const double *real, const int *whole, int n)
{
	json_t *row = json_array();

	for (int i = 0; i < n; i++)
		xjson_append(row, real ? put_real(real[i]) : json_integer(whole[i]));
	return row;
}

static json_t *
put_rows(const struct field *f, const double *real, const int *whole, int chunks, int stages)
{
	json_t *rows;

	if (f->flat && chunks <= 1)
		return put_row(real, whole, stages);
	rows = json_array();
	for (int i = 0; i < chunks; i++)
		xjson_append(rows, put_row(real ? real + (size_t)i * (size_t)stages : NULL,
		    whole ? whole + (size_t)i * (size_t)stages : NULL, stages));
	return rows;
}

static json_t *
put_texts(const struct field *f, const struct texts *t)
{
	json_t *list = json_array();

	for (int i = 0; i < t->n; i++) {
		field_check_text(f, t->at[i]);
		xjson_append(list, json_string(t->at[i]));
	}
	return list;
}

static json_t *
put_amounts(const struct amounts *a)
{
	json_t *object = json_object();

	for (int i = 0; i < a->n; i++)
		xjson_set(object, a->name[i], put_real(a->at[i]));
	return object;
}

void
field_check_text(const struct field *f, const char *text)
{
	json_t *v = json_string(text);

	if (v == NULL)
		place_die((struct place){ 0 }, "%s: not UTF-8 '%s'", f->name, text);
	json_decref(v);
	if (f->sign != LINES && control_any(text))
		place_die((struct place){ 0 }, "%s: control characters '%s'", f->name, text);
}

json_t *
field_value(const struct field *f, const void *from)
{
	const struct list *l = from;
	const struct table *t = from;
	const struct grid *g = from;
	const struct array *a = from;
	json_t *v = NULL;

	switch (f->type) {
	case FIELD_STRING:
		field_check_text(f, *(char *const *)from);
		return json_string(*(char *const *)from);
	case FIELD_INT:
		return json_integer(*(const int *)from);
	case FIELD_REAL:
		return put_real(*(const double *)from);
	case FIELD_BOOL:
		return json_boolean(*(const bool *)from);
	case FIELD_ENUM:
		return json_string(f->names[*(const int *)from]);
	case FIELD_LIST:
		return l->n == 1 && !f->flat ? put_real(l->at[0]) : put_row(l->at, NULL, l->n);
	case FIELD_TABLE:
		return put_rows(f, t->at, NULL, t->chunks, t->stages);
	case FIELD_GRID:
		return put_rows(f, NULL, g->at, g->chunks, g->stages);
	case FIELD_AMOUNTS:
		return put_amounts(from);
	case FIELD_TEXTS:
		return put_texts(f, from);
	case FIELD_OBJECT:
		return fields_put(f->sub, from);
	case FIELD_ARRAY:
		v = json_array();
		for (int i = 0; i < a->n; i++)
			xjson_append(v, fields_put(f->sub, (char *)a->at + (size_t)i * f->sub->size));
		return v;
	case FIELD_MAP:
		v = json_object();
		for (int i = 0; i < a->n; i++) {
			char *rec = (char *)a->at + (size_t)i * f->sub->size;

			xjson_set(v, *(char **)(rec + sizeof(uint64_t)), fields_put(f->sub, rec));
		}
		return v;
	}
	return v;
}

json_t *
fields_put(const struct fields *t, const void *rec)
{
	json_t *object = json_object();

	for (int i = 0; i < t->n + t->nothers; i++) {
		struct field f = field_at(t, i);

		if (!f.optional || (*given(rec) >> i & 1))
			xjson_set(object, f.name, field_value(&f, member(rec, &f)));
	}
	return object;
}

void
fields_copy(const struct fields *t, void *to, const void *from)
{
	json_t *object = fields_put(t, from);

	fields_get(t, to, object, (struct place){ 0 });
	json_decref(object);
}

void
fields_free(const struct fields *t, void *rec)
{
	for (int i = 0; i < t->n + t->nothers; i++) {
		struct field found = field_at(t, i), *f = &found;
		void *m = member(rec, f);
		struct array *a = m;

		switch (f->type) {
		case FIELD_STRING:
			free(*(char **)m);
			break;
		case FIELD_LIST:
			free(((struct list *)m)->at);
			break;
		case FIELD_TABLE:
			free(((struct table *)m)->at);
			break;
		case FIELD_GRID:
			free(((struct grid *)m)->at);
			break;
		case FIELD_AMOUNTS:
			amounts_free(m);
			break;
		case FIELD_TEXTS:
			texts_free(m);
			break;
		case FIELD_OBJECT:
			fields_free(f->sub, m);
			break;
		case FIELD_ARRAY:
		case FIELD_MAP:
			for (int k = 0; k < a->n; k++) {
				char *each = (char *)a->at + (size_t)k * f->sub->size;

				if (f->type == FIELD_MAP)
					free(*(char **)(each + sizeof(uint64_t)));
				fields_free(f->sub, each);
			}
			free(a->at);
			break;
		case FIELD_INT:
		case FIELD_REAL:
		case FIELD_BOOL:
		case FIELD_ENUM:
			break;
		}
	}
	memset(rec, 0, t->size);
}

void *
array_add(const struct fields *t, struct array *a)
{
	char *rec;

	a->at = xreallocarray(a->at, (size_t)a->n + 1, t->size);
	rec = (char *)a->at + (size_t)a->n++ * t->size;
	memset(rec, 0, t->size);
	return rec;
}
