#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/control.h"
#include "lib/base/memstream.h"
#include "lib/base/spelling.h"
#include "member.h"

/* The member that is being read, for messages such as "layer: memory_parameter" or "fit: residuals: stage". */
struct get_context {
	struct place at;
	const char *name;
	const struct get_context *outer;
};

/* Return the path from the kind of the record to the member. Caller frees. */
static char *
path(const struct get_context *c)
{
	char *p = xstrdup(c->name), *longer;

	for (c = c->outer; c != NULL; c = c->outer) {
		longer = xasprintf("%s: %s", c->name, p);
		free(p);
		p = longer;
	}
	return p;
}

/* Exit with a message about a value. HINT: a suggestion that follows the value. */
static _Noreturn void
misspelt(const struct get_context *c, const char *what, json_t *value, const char *hint)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

	/* Long values are cut; the line number shows where the whole value is. */
	place_die(c->at, "%s: %s '%.60s%s'%s", path(c), what, text ? text : "", text && strlen(text) > 60 ? "..." : "",
	    hint);
}

static _Noreturn void
bad(const struct get_context *c, const char *what, json_t *value)
{
	misspelt(c, what, value, "");
}

static struct get_context
inside(const struct get_context *c, const char *name)
{
	return (struct get_context){ c->at, name, c };
}

/* Return the number of the member NAME, or -1. */
static int
find_field(const struct fields *t, const char *name, struct place at)
{
	for (int i = 0; i < t->n; i++)
		if (strcmp(t->field[i].name, name) == 0)
			return i;
	return t->others == NULL ? -1 : t->n + t->other(name, at);
}

static double
get_real(const struct get_context *c, const struct field *f, json_t *v)
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
get_int(const struct get_context *c, const struct field *f, json_t *v)
{
	if (!json_is_integer(v))
		bad(c, "not a whole number", v);
	if (json_integer_value(v) > INT_MAX || json_integer_value(v) < -INT_MAX)
		bad(c, "out of range", v);
	get_real(c, f, v);
	return (int)json_integer_value(v);
}

static int
get_name(const struct get_context *c, const char *const *names, json_t *v)
{
	if (!json_is_string(v))
		bad(c, "not a string", v);
	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(names[i], json_string_value(v)) == 0)
			return i;
	misspelt(c, xasprintf("not one of%s:", spelling_known("", names)), v,
	    spelling_hint(json_string_value(v), names));
}

static int
get_set(const struct get_context *c, const struct field *f, json_t *v)
{
	json_t *each;
	size_t i;
	int bits = 0;

	if (!json_is_array(v))
		bad(c, "not a list", v);
	json_array_foreach(v, i, each) {
		int bit = 1 << get_name(c, f->set, each);

		if (bits & bit)
			bad(c, "twice", each);
		bits |= bit;
	}
	return bits;
}

/* Get the numbers of rows and columns of a number, a flat list, or a list of lists of equal length. */
static void
shape(const struct get_context *c, json_t *v, int *chunks, int *stages)
{
	json_t *row = v;

	*chunks = 1;
	if (json_is_array(v) && json_is_array(json_array_get(v, 0))) {
		*chunks = (int)json_array_size(v);
		row = json_array_get(v, 0);
		for (int i = 1; i < *chunks; i++)
			if (json_array_size(json_array_get(v, (size_t)i)) != json_array_size(row))
				bad(c, "rows of different lengths", v);
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

static void get_struct(const struct get_context *, const struct fields *, void *, json_t *);

static void
get_array(const struct get_context *c, const struct field *f, struct array *a, json_t *v)
{
	json_t *each;
	size_t i;

	if (!json_is_array(v))
		bad(c, "not a list", v);
	json_array_foreach(v, i, each)
		get_struct(c, f->sub, array_add(f->sub, a), each);
}

/* Read all members of an object: either structs, whose name is the member's, or amounts. */
static void
get_members(const struct get_context *c, const struct field *f, void *to, json_t *v)
{
	const char *key;
	json_t *each;

	if (!json_is_object(v))
		bad(c, "not an object", v);
	json_object_foreach(v, key, each) {
		struct get_context in = inside(c, key);

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
get_texts(const struct get_context *c, const struct field *f, struct texts *t, json_t *v)
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
get_assignments(const struct get_context *c, struct texts *t, json_t *v)
{
	const char *key;
	json_t *each;

	if (!json_is_object(v))
		bad(c, "not an object", v);
	json_object_foreach(v, key, each) {
		if (!json_is_string(each))
			bad(c, "not a string", each);
		*APPEND(t->at, t->n) = xasprintf("%s=%s", key, json_string_value(each));
	}
}

static char *
get_shapes(const struct get_context *c, json_t *v)
{
	const struct field whole = { .sign = NONNEGATIVE };
	json_t *shape, *each;
	size_t i, k, n;
	char *text;
	FILE *f = memstream_open(&text, &n);

	if (!json_is_array(v))
		bad(c, "not a list", v);
	json_array_foreach(v, i, shape) {
		if (!json_is_array(shape))
			bad(c, "not a list of lists", v);
		json_array_foreach(shape, k, each)
			fprintf(f, "%s%d", k > 0 ? "," : "", get_int(c, &whole, each));
		putc(';', f);
	}
	memstream_close(f);
	return text;
}

static void
get_field(const struct get_context *c, const struct field *f, void *to, json_t *v)
{
	int chunks, stages;

	switch (f->type) {
	case FIELD_STRING:
		if (!json_is_string(v))
			bad(c, "not a string", v);
		/* Names appear in reports, file names and settings, so they must not contain newlines or escapes. */
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
		*(int *)to = f->set != NULL && json_is_array(v) ? FIELD_IS_SET | get_set(c, f, v) :
		    get_name(c, f->names, v);
		break;
	case FIELD_SET:
		*(int *)to = get_set(c, f, v);
		break;
	case FIELD_LIST:
		/* An empty list in a result means no stages. A table is never empty. */
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
	case FIELD_ASSIGNMENTS:
		get_assignments(c, to, v);
		break;
	case FIELD_SHAPES:
		*(char **)to = get_shapes(c, v);
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
unknown(const struct get_context *c, const struct fields *t, const char *key, json_t *v)
{
	const char **names = xcalloc((size_t)t->n + 1, sizeof *names);

	for (int i = 0; i < t->n; i++)
		names[i] = t->field[i].name;
	misspelt(c, "unknown member", v, spelling_hint(key, names));
}

/* Exit if required members are not in GIVEN. The message names all of them. */
static void
check_missing(const struct get_context *c, const struct fields *t, uint64_t given)
{
	char *all = NULL, *longer;

	for (int i = 0; i < t->n; i++) {
		if (t->field[i].optional || (given >> i & 1))
			continue;
		longer = xasprintf("%s%s'%s'", all != NULL ? all : "", all != NULL ? ", also " : "", t->field[i].name);
		free(all);
		all = longer;
	}
	if (all != NULL)
		place_die(c->at, "%s: missing member %s", path(c), all);
}

static void
get_struct(const struct get_context *c, const struct fields *t, void *rec, json_t *object)
{
	const char *key;
	json_t *v;

	if (!json_is_object(object))
		bad(c, "not an object", object);
	json_object_foreach(object, key, v) {
		struct get_context in = inside(c, key);
		int i = find_field(t, key, c->at);
		struct field f;

		if (i < 0)
			unknown(&in, t, key, v);
		f = member_at(t, i);
		get_field(&in, &f, member_of(rec, &f), v);
		*member_given(rec) |= (uint64_t)1 << i;
	}
	check_missing(c, t, *member_given(rec));
}

void
fields_get(const struct fields *t, void *rec, json_t *object, struct place at)
{
	struct get_context c = { .at = at, .name = t->name };

	json_object_del(object, "kind");
	get_struct(&c, t, rec, object);
}
