#include "csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"
#include "lib/base/slurp.h"

enum { CHUNK = 256 << 10 };

/* Move unread text to the front of the buffer and read more. Return false at the end of input. */
static bool
refill(struct csv *c)
{
	size_t held = c->end - c->at;
	int n, error;

	if (c->ended)
		return false;
	if (held >= CSV_ROW_MAX)
		place_die(c->place, "a row longer than %d MB", CSV_ROW_MAX >> 20);
	memmove(c->buffer, c->buffer + c->at, held);
	c->at = 0;
	c->end = held;
	if (c->capacity - held < CHUNK / 2) {
		c->capacity *= 2;
		c->buffer = xreallocarray(c->buffer, c->capacity + 1, 1);
	}
	n = gzread(c->file, c->buffer + held, (unsigned)(c->capacity - held));
	if (n <= 0) {
		const char *why = gzerror(c->file, &error);

		c->ended = true;
		c->buffer[c->end] = '\0';
		if (n < 0 && error == Z_ERRNO)
			place_die(c->place, "cannot be read: %s", strerror(errno));
		if (error != Z_OK && error != Z_STREAM_END && error != Z_BUF_ERROR)
			place_die(c->place, "compressed data is damaged: %s", why);
		return false;
	}
	c->end += (size_t)n;
	c->buffer[c->end] = '\0';
	return true;
}

/*
 * Get the length of the line at c->at, without its newline in *LENGTH and with it in *ALL. Return false at the end of
 * input.
 */
static bool
line(struct csv *c, size_t *length, size_t *all)
{
	size_t seen = 0;

	for (;;) {
		char *newline = memchr(c->buffer + c->at + seen, '\n', c->end - c->at - seen);

		if (newline != NULL) {
			*length = (size_t)(newline - c->buffer) - c->at;
			*all = *length + 1;
			break;
		}
		seen = c->end - c->at;
		if (!refill(c)) {
			*length = *all = c->end - c->at;
			break;
		}
	}
	if (*all == 0)
		return false;
	if (*length > 0 && c->buffer[c->at + *length - 1] == '\r')
		--*length;
	return true;
}

static struct text
trim(const char *from, const char *to)
{
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	/* Remove quotes around the field. A "" within it stays as it is. */
	if (to - from >= 2 && *from == '"' && to[-1] == '"') {
		from++;
		to--;
		while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
			to--;
	}
	return (struct text){ from, (size_t)(to - from) };
}

/* Split LINE of N bytes into at most MOST fields. Return their number. */
static int
split(const struct csv *c, const char *line, size_t n, struct text field[], int most)
{
	const char *p = line, *end = line + n;
	int fields = 0;

	for (;;) {
		const char *from = p, *comma;

		while (p < end && (*p == ' ' || *p == '\t'))
			p++;
		if (p < end && *p == '"') {
			/* A doubled quote ends and restarts the quoted part. */
			bool within = false;

			for (; p < end && (within || *p != ','); p++)
				within ^= *p == '"';
			comma = p;
			if (within)
				place_die(c->place, "a quote is not closed '%.20s'", from);
		} else {
			comma = p < end ? memchr(p, ',', (size_t)(end - p)) : NULL;
			if (comma == NULL)
				comma = end;
		}
		field[fields++] = trim(from, comma);
		if (fields == most || comma == end)
			return fields;
		p = comma + 1;
	}
}

static void
read_header(struct csv *c)
{
	struct text field[CSV_COLUMNS_MAX];
	size_t length, all, room = 1, mark;
	char *to;

	c->place.line = 1;
	if (!line(c, &length, &all))
		place_die(c->place, "empty, not a table");
	if (memchr(c->buffer + c->at, '\0', length) != NULL)
		place_die(c->place, "a NUL byte");
	mark = byte_order_mark(c->buffer + c->at, length);
	c->at += mark;
	all -= mark;
	c->columns = split(c, c->buffer + c->at, length - mark, field, CSV_COLUMNS_MAX);
	for (int i = 0; i < c->columns; i++)
		room += field[i].n + 1;
	to = c->header = xcalloc(room, 1);
	for (int i = 0; i < c->columns; i++) {
		memcpy(to, field[i].at, field[i].n);
		to += field[i].n + 1;
	}
	c->at += all;
}

static void
start(struct csv *c, const char *source, size_t capacity)
{
	*c = (struct csv){ .place.source = source, .capacity = capacity };
	c->buffer = xcalloc(capacity + 1, 1);
}

void
csv_open(struct csv *c, const char *path)
{
	start(c, path, CHUNK);
	c->file = gzopen(path, "rbe");
	if (c->file == NULL)
		place_die(c->place, "cannot be read: %s", strerror(errno ? errno : ENOMEM));
	gzbuffer(c->file, CHUNK);
	read_header(c);
}

void
csv_memory(struct csv *c, const char *text, size_t n)
{
	start(c, "<memory>", n);
	memcpy(c->buffer, text, n);
	c->end = n;
	c->ended = true;
	read_header(c);
}

int
csv_column(const struct csv *c, const char *const names[])
{
	for (; *names != NULL; names++) {
		const char *at = c->header;

		for (int i = 0; i < c->columns; i++, at += strlen(at) + 1)
			if (strcasecmp(at, *names) == 0)
				return i;
	}
	return -1;
}

int
csv_columns(const struct csv *c, const char *const names[], int n, int column[])
{
	int fields = 0;

	for (int i = 0; i < n; i++) {
		column[i] = csv_column(c, (const char *const []){ names[i], NULL });
		if (column[i] < 0)
			place_die(c->place, "no column '%s'", names[i]);
		fields = column[i] + 1 > fields ? column[i] + 1 : fields;
	}
	return fields;
}

const char *
csv_name(const struct csv *c, int column)
{
	const char *at = c->header;

	while (column-- > 0)
		at += strlen(at) + 1;
	return at;
}

bool
csv_next(struct csv *c, struct text field[], int n)
{
	size_t length, all;
	int fields;

	do {
		if (!line(c, &length, &all))
			return false;
		c->place.line++;
		if (length == 0)
			c->at += all;
	} while (length == 0);
	if (memchr(c->buffer + c->at, '\0', length) != NULL)
		place_die(c->place, "a NUL byte");
	fields = split(c, c->buffer + c->at, length, field, n);
	if (fields < n && all == length && c->ended && c->at + all == c->end) {
		place_warn(c->place, "the table ends within a row: the rows before it are used");
		return false;
	}
	if (fields < n)
		place_die(c->place, "fewer fields than the header has columns: '%.40s'", c->buffer + c->at);
	c->at += all;
	return true;
}

void
csv_close(struct csv *c)
{
	if (c->file != NULL)
		gzclose(c->file);
	free(c->buffer);
	free(c->header);
	*c = (struct csv){ 0 };
}
