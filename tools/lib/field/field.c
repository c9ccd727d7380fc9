#include "field.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "member.h"

static size_t
size_of(enum field_type type)
{
	static const size_t size[] = {
		[FIELD_STRING] = sizeof(char *), [FIELD_INT] = sizeof(int), [FIELD_REAL] = sizeof(double),
		[FIELD_BOOL] = sizeof(bool), [FIELD_ENUM] = sizeof(int), [FIELD_SET] = sizeof(int),
		[FIELD_LIST] = sizeof(struct list),
		[FIELD_TABLE] = sizeof(struct table), [FIELD_GRID] = sizeof(struct grid),
		[FIELD_AMOUNTS] = sizeof(struct amounts), [FIELD_TEXTS] = sizeof(struct texts),
		[FIELD_ASSIGNMENTS] = sizeof(struct texts),
		[FIELD_SHAPES] = sizeof(char *),
	};

	return size[type];
}

struct field
member_at(const struct fields *t, int i)
{
	struct field f;

	if (i < t->n)
		return t->field[i];
	f = *t->others;
	f.name = t->other_names[i - t->n];
	f.offset += (size_t)(i - t->n) * size_of(f.type);
	return f;
}

uint64_t
field_bit(const struct fields *t, size_t offset)
{
	for (int i = 0; i < t->n; i++)
		if (t->field[i].offset == offset)
			return (uint64_t)1 << i;
	for (int i = t->n; i < t->n + t->nothers; i++)
		if (member_at(t, i).offset == offset)
			return (uint64_t)1 << i;
	assert(!"fault in this program: a member that the table of fields does not have");
	return 0;
}

bool
field_given(const struct fields *t, const void *rec, size_t offset)
{
	return *member_given(rec) & field_bit(t, offset);
}

void
field_give(const struct fields *t, void *rec, size_t offset)
{
	*member_given(rec) |= field_bit(t, offset);
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
		struct field found = member_at(t, i), *f = &found;
		void *m = member_of(rec, f);
		struct array *a = m;

		switch (f->type) {
		case FIELD_STRING:
		case FIELD_SHAPES:
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
		case FIELD_ASSIGNMENTS:
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
		case FIELD_SET:
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
