#include "xjson.h"

#include <err.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/status.h"

static void *
take(size_t size)
{
	return xreallocarray(NULL, 1, size);
}

/* Set jansson's allocator before main(), so that all objects use the same one. */
__attribute__((constructor)) static void
use_checked_memory(void)
{
	json_set_alloc_funcs(take, free);
}

void
xjson_set(json_t *object, const char *name, json_t *value)
{
	if (json_object_set_new(object, name, value) != 0)
		errx(STATUS_ERROR, "member '%s' cannot be written: it is not UTF-8", name);
}

void
xjson_append(json_t *list, json_t *value)
{
	if (json_array_append_new(list, value) != 0)
		errx(STATUS_ERROR, "an element of a list cannot be written: it is not UTF-8");
}

void
xjson_update(json_t *object, json_t *other)
{
	if (json_object_update(object, other) != 0)
		errx(STATUS_ERROR, "members of two records cannot be merged");
}

void
xjson_write(FILE *out, json_t *value, size_t flags)
{
	if (json_dumpf(value, out, flags) != 0 && !ferror(out))
		errx(STATUS_ERROR, "a record cannot be written");
}

char *
xjson_text(json_t *value, size_t flags)
{
	char *text = json_dumps(value, flags);

	if (text == NULL)
		errx(STATUS_ERROR, "a record cannot be written");
	return text;
}

json_t *
xjson_parse(const char *text, size_t length, json_error_t *error)
{
	return json_loadb(text, length, JSON_REJECT_DUPLICATES, error);
}
