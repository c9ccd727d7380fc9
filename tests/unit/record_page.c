/* sapp-record.5 has every member of every record, marks those that may be missing, and has no others. */
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

/* The section of a kind, to be freed; NULL: there is none. */
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

static int
items(const char *text)
{
	int n = 0;

	for (; (text = strstr(text, "\n.It ")) != NULL; text++)
		n++;
	return n;
}

/* A kind's members, and those of the structs within it, which have sections of their own. */
static void
check(const char *name, const struct fields *fields)
{
	char *text = section(name), item[200], what[200];

	snprintf(what, sizeof what, "%s is there", name);
	if (!ok(text != NULL, what))
		return;
	for (int i = 0; i < fields->n; i++) {
		const struct field *f = &fields->field[i];

		snprintf(item, sizeof item, f->optional ? "\n.It Op Cm %s\n" : "\n.It Cm %s\n", f->name);
		snprintf(what, sizeof what, "%s: %s, %s", name, f->name, f->optional ? "may be missing" : "needed");
		ok(strstr(text, item) != NULL, what);
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
