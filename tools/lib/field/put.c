#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/control.h"
#include "member.h"
#include "xjson.h"

/* Write whole numbers as integers: 56000 instead of 56000.0. */
static json_t *
put_real(double x)
{
	if (!isfinite(x) || fabs(x) > LARGEST)
		place_die((struct place){ 0 }, "a result is not a finite number: figures of the input differ by too "
		    "many orders of magnitude");
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

/* Text that is not UTF-8 is left out: no setting that matters has any. */
static json_t *
put_assignments(const struct texts *t)
{
	json_t *object = json_object();

	for (int i = 0; i < t->n; i++) {
		size_t n = strcspn(t->at[i], "=");
		char *name = xstrndup(t->at[i], n);
		json_t *value = json_string(t->at[i][n] == '=' ? t->at[i] + n + 1 : "");

		if (value != NULL)
			xjson_set(object, name, value);
		free(name);
	}
	return object;
}

static json_t *
put_shapes(const char *s)
{
	json_t *list = json_array(), *shape;

	for (; s != NULL && *s != '\0'; s++) {
		shape = json_array();
		while (*s != ';' && *s != '\0') {
			char *end;

			xjson_append(shape, json_integer(strtol(s, &end, 10)));
			s = end + (*end == ',');
		}
		xjson_append(list, shape);
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

static json_t *
put_set(const struct field *f, int bits)
{
	json_t *list = json_array();

	for (int i = 0; f->set[i] != NULL; i++)
		if (bits >> i & 1)
			xjson_append(list, json_string(f->set[i]));
	return list;
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
		if (*(const int *)from & FIELD_IS_SET)
			return put_set(f, *(const int *)from);
		return json_string(f->names[*(const int *)from]);
	case FIELD_SET:
		return put_set(f, *(const int *)from);
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
	case FIELD_ASSIGNMENTS:
		return put_assignments(from);
	case FIELD_SHAPES:
		return put_shapes(*(char *const *)from);
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
		struct field f = member_at(t, i);

		if (!f.optional || (*member_given(rec) >> i & 1))
			xjson_set(object, f.name, field_value(&f, member_of(rec, &f)));
	}
	return object;
}
