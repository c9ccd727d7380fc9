#include "peaktable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"

/* Kinds of tables, best first. Tables of operators omit other memory, tables of modules have no allocated memory. */
static const struct { const char *file, *allocated, *reserved; } kinds[] = {
	{ "memory_record.csv", "Total Allocated(MB)", "Total Reserved(MB)" },
	{ "operator_memory.csv", "Allocation Total Allocated(MB)", "Allocation Total Reserved(MB)" },
	{ "npu_module_mem.csv", NULL, "Total Reserved(MB)" },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };
static const double most_memory = 1e9;	/* MB; a larger peak is an error */

int
peaktable_kind(const char *name)
{
	const char *slash = strrchr(name, '/');

	for (int i = 0; i < KINDS; i++)
		if (strcmp(slash != NULL ? slash + 1 : name, kinds[i].file) == 0)
			return i;
	return -1;
}

/* Cut the next field off *REST, up to a comma outside quotes. Return NULL at the end. */
static char *
next_field(char **rest)
{
	char *from = *rest, *p = from;
	bool quoted = false;

	if (from == NULL)
		return NULL;
	for (; *p != '\0' && (*p != ',' || quoted); p++)
		quoted ^= *p == '"';
	*rest = *p == '\0' ? NULL : p + 1;
	*p = '\0';
	from += strspn(from, " \t\"\xef\xbb\xbf");
	for (p = from + strlen(from); p > from && strchr(" \t\r\n\"", p[-1]) != NULL; p--)
		p[-1] = '\0';
	return from;
}

static int
column_of(char *header, const char *name)
{
	char *field;
	int i = 0;

	for (; (field = next_field(&header)) != NULL; i++)
		if (name != NULL && strcasecmp(field, name) == 0)
			return i;
	return -1;
}

static void
take(double *most, const char *field, struct place at)
{
	char *end;
	double x;

	if (*field == '\0' || strcmp(field, "N/A") == 0)
		return;
	x = strtod(field, &end);
	if (*end != '\0' || !(x >= 0 && x <= most_memory))
		place_die(at, "not a number of megabytes '%.40s'", field);
	*most = x > *most ? x : *most;
}

void
peaktable_rows(FILE *f, int kind, struct place at, double *allocated, double *reserved)
{
	char *line = NULL, *copy, *field, *rest;
	int columns[2] = { -1, -1 }, i;
	size_t room = 0;
	ssize_t n;

	*allocated = *reserved = 0;
	while ((n = getline(&line, &room, f)) > 0) {
		rest = line;
		at.line++;
		if (strlen(line) < (size_t)n)
			place_die(at, "a NUL byte");
		if (at.line == 1) {
			copy = xstrdup(line);
			columns[0] = column_of(copy, kinds[kind].allocated);
			free(copy);
			columns[1] = column_of(line, kinds[kind].reserved);
			if (columns[1] < 0 || (columns[0] < 0 && kinds[kind].allocated != NULL))
				place_die(at, "no column '%s'",
				    columns[1] < 0 ? kinds[kind].reserved : kinds[kind].allocated);
			continue;
		}
		for (i = 0; (field = next_field(&rest)) != NULL; i++) {
			if (i == columns[0])
				take(allocated, field, at);
			if (i == columns[1])
				take(reserved, field, at);
		}
	}
	if (ferror(f))
		place_die((struct place){ at.source, 0 }, "cannot be read: %s", strerror(errno));
	free(line);
	if (at.line == 0)
		place_die(at, "empty, not a table of memory");
}

void
peaktable_read(const char *path, double *allocated, double *reserved)
{
	struct place at = { path, 0 };
	FILE *f = fopen(path, "r");

	if (f == NULL)
		place_die(at, "cannot be read: %s", strerror(errno));
	peaktable_rows(f, peaktable_kind(path), at, allocated, reserved);
	fclose(f);
}
