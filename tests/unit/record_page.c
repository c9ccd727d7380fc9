/* sapp-record.5 has every member of every record with its type, marks required members, and has no others. */
#include "lib/record/record.h"
#include "tap.h"

static char *page;

static char *
slurp(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	if (f == NULL || fread(text, 1, (1 << 20) - 1, f) == 0)
		exit(1);
	fclose(f);
	return text;
}

/* Return the section of a kind; NULL: none exists. Caller frees. */
static char *
section(const char *name)
{
	char heading[100], *start, *end, *next;

	snprintf(heading, sizeof heading, "\n.Ss %s\n", name);
	start = strstr(page, heading);
	if (start == NULL)
		return NULL;
	start += strlen(heading) - 1;
	end = strstr(start, "\n.Sh ");
	next = strstr(start, "\n.Ss ");
	if (next != NULL && next < end)
		end = next;
	return strndup(start, (size_t)(end - start) + 1);
}

/* The page's word for each type of a field. */
static const char *const type_words[] = {
	[FIELD_STRING] = "text", [FIELD_INT] = "whole", [FIELD_REAL] = "number", [FIELD_BOOL] = "boolean",
	[FIELD_ENUM] = "word", [FIELD_SET] = "words", [FIELD_LIST] = "list", [FIELD_TABLE] = "table",
	[FIELD_GRID] = "counts", [FIELD_AMOUNTS] = "object", [FIELD_TEXTS] = "texts",
	[FIELD_ASSIGNMENTS] = "object", [FIELD_SHAPES] = "shapes", [FIELD_OBJECT] = "object",
	[FIELD_ARRAY] = "array", [FIELD_MAP] = "object",
};

/* Return whether the member of a row may be missing. */
static bool
optional(const char *row)
{
	const char *end = strchr(row, '\n'), *needed = strstr(row, " Ta needed Ta");

	return needed == NULL || needed > end;
}

static int
items(const char *text)
{
	int n = 0;

	for (; (text = strstr(text, "\n.It Cm ")) != NULL; text++)
		n++;
	return n;
}

/* Check a kind's members, and the members of structs within it, which have their own sections. */
static void
check(const char *name, const struct fields *fields)
{
	char *text = section(name), item[200], what[200], *row;

	snprintf(what, sizeof what, "%s is there", name);
	if (!ok(text != NULL, what))
		return;
	for (int i = 0; i < fields->n; i++) {
		const struct field *f = &fields->field[i];

		snprintf(item, sizeof item, "\n.It Cm %s Ta %s Ta ", f->name, type_words[f->type]);
		snprintf(what, sizeof what, "%s: %s, %s, %s", name, f->name, type_words[f->type],
		    f->optional ? "may be missing" : "needed");
		row = strstr(text, item);
		ok(row != NULL && optional(row + 1) == f->optional, what);
		/* Outliers are residuals, and classes have members of the network. */
		if (f->sub != NULL && strcmp(f->name, "outliers") != 0 && strcmp(f->name, "classes") != 0)
			check(f->sub->name, f->sub);
	}
	snprintf(what, sizeof what, "%s: nothing else", name);
	same(fields->n, items(text), what);
	free(text);
}

int
main(void)
{
	page = slurp("man/sapp-record.5");
	for (int kind = 0; kind < RECORD_OTHER; kind++)
		check(record_name((enum record_kind)kind), record_fields((enum record_kind)kind));
	free(page);
	return tap_done();
}
