#include "scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/terminal.h"

enum { CHUNK = 256 << 10 };

void
scan_die(const struct scan *s, const char *fmt, ...)
{
	va_list ap;
	char *message, *where;

	va_start(ap, fmt);
	message = xvasprintf(fmt, ap);
	va_end(ap);
	where = xasprintf("byte %llu: %s", (unsigned long long)(s->before + (uint64_t)(s->at - s->buffer)), message);
	free(message);
	if (s->rescue == NULL)
		place_die(s->place, "%s", where);
	s->rescue->message = where;
	longjmp(s->rescue->env, 1);
}

static void
start(struct scan *s, const char *source)
{
	*s = (struct scan){ .place.source = source, .capacity = CHUNK };
	s->buffer = xcalloc(s->capacity + 1, 1);
	s->at = s->end = s->buffer;
}

void
scan_open(struct scan *s, const char *path)
{
	bool standard_input = strcmp(path, "-") == 0;
	int fd;

	start(s, standard_input ? "<stdin>" : path);
	fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (standard_input)
		terminal_wait("a timeline");
	if (fd < 0)
		place_die(s->place, "cannot be read: %s", strerror(errno));
	s->file = gzdopen(fd, "rb");
	if (s->file == NULL)
		place_die(s->place, "cannot be read: %s", strerror(errno ? errno : ENOMEM));
	gzbuffer(s->file, CHUNK);
}

void
scan_memory(struct scan *s, const char *text, size_t n)
{
	start(s, "<memory>");
	s->buffer = xreallocarray(s->buffer, n + 1, 1);
	memcpy(s->buffer, text, n);
	s->buffer[n] = '\0';
	s->at = s->buffer;
	s->end = s->buffer + n;
	s->capacity = n;
	s->ended = true;
}

void
scan_close(struct scan *s)
{
	if (s->file != NULL)
		gzclose(s->file);
	free(s->buffer);
	free(s->distributed);
	free(s->first_lost);
	s->buffer = s->distributed = s->first_lost = NULL;
}

/* Read more input, and keep the held text. Return false at the end of input. */
static bool
refill(struct scan *s)
{
	char *keep = s->hold != NULL ? s->hold : s->at;
	size_t held = (size_t)(s->end - keep), at = (size_t)(s->at - keep);
	int n, error;

	if (s->ended)
		return false;
	if (held >= SCAN_HELD_MAX)
		scan_die(s, "an event longer than %d MB", SCAN_HELD_MAX >> 20);
	s->before += (uint64_t)(keep - s->buffer);
	memmove(s->buffer, keep, held);
	if (s->capacity - held < CHUNK / 2) {
		s->capacity *= 2;
		s->buffer = xreallocarray(s->buffer, s->capacity + 1, 1);
	}
	if (s->hold != NULL)
		s->hold = s->buffer;
	s->at = s->buffer + at;
	s->end = s->buffer + held;
	*s->end = '\0';
	n = gzread(s->file, s->end, (unsigned)(s->capacity - held < 1 << 30 ? s->capacity - held : 1 << 30));
	if (n <= 0) {
		const char *why = gzerror(s->file, &error);

		s->ended = true;
		if (n < 0 && error == Z_ERRNO)
			place_die(s->place, "cannot be read: %s", strerror(errno));
		/* Accept compressed data that is truncated, because an interrupted run leaves such data. */
		if (error != Z_OK && error != Z_STREAM_END && error != Z_BUF_ERROR)
			place_die(s->place, "compressed data is damaged: %s", why);
		return false;
	}
	s->end += n;
	*s->end = '\0';
	return true;
}

char
scan_peek_on(struct scan *s)
{
	for (;;) {
		if (s->at < s->end)
			scan_die(s, "a NUL byte");
		if (!refill(s))
			return '\0';
		while (scan_is_space(*s->at))
			s->at++;
		if (*s->at != '\0')
			return *s->at;
	}
}

const char *
scan_line(struct scan *s, size_t *n)
{
	for (size_t seen = 0;;) {
		char *newline = memchr(s->at + seen, '\n', (size_t)(s->end - s->at) - seen), *line = s->at;

		seen = (size_t)(s->end - s->at);
		if (newline == NULL && seen < SCAN_LINE_MAX && refill(s))
			continue;
		line = s->at;
		*n = newline != NULL ? (size_t)(newline - line) : (size_t)(s->end - line);
		if (newline == NULL && *n == 0)
			return NULL;
		s->at = line + *n + (newline != NULL);
		return line;
	}
}

bool
scan_skip_string(struct scan *s)
{
	size_t from = (size_t)(s->at + 1 - s->buffer);	/* start of the string's text */
	char *quote = s->at;

	for (;;) {
		char *q = memchr(quote + 1, '"', (size_t)(s->end - quote - 1));

		if (q == NULL) {
			size_t seen = (size_t)(s->end - s->at);

			/* Text that is not held may be discarded, except for backslashes at its end. */
			if (s->hold == NULL && seen > CHUNK / 2) {
				size_t tail = 0;

				while (tail < seen - 1 && s->end[-1 - (ptrdiff_t)tail] == '\\')
					tail++;
				s->at = s->end - (tail % 2) - 1;
				seen = (size_t)(s->end - s->at);
			}
			if (!refill(s))
				return false;
			from = (size_t)(s->at + 1 - s->buffer);
			quote = s->at + seen - 1;
			continue;
		}
		quote = q;
		while (q > s->buffer + from && q[-1] == '\\')
			q--;
		if ((quote - q) % 2 == 0) {
			s->at = quote + 1;
			return true;
		}
	}
}

bool
scan_skip_scalar(struct scan *s)
{
	static const bool begins[256] = { ['-'] = true, ['0'] = true, ['1'] = true, ['2'] = true,
	    ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true,
	    ['9'] = true, ['t'] = true, ['f'] = true, ['n'] = true, ['N'] = true, ['I'] = true };
	static const bool ends[256] = { ['\0'] = true, [' '] = true, ['\t'] = true, ['\r'] = true,
	    ['\n'] = true, [','] = true, [':'] = true, ['"'] = true, ['['] = true, [']'] = true,
	    ['{'] = true, ['}'] = true };

	if (!begins[(unsigned char)*s->at])
		scan_die(s, "expected a value, not '%c'", *s->at);
	for (;;) {
		while (!ends[(unsigned char)*s->at])
			s->at++;
		if (*s->at != '\0')
			return true;
		if (s->at < s->end)
			scan_die(s, "a NUL byte");
		if (!refill(s))
			return false;
	}
}

bool
scan_skip_value(struct scan *s)
{
	unsigned depth = 0;

	do {
		char c = scan_peek(s);

		switch (c) {
		case '\0':
			return false;
		case '"':
			if (!scan_skip_string(s))
				return false;
			break;
		case '{':
		case '[':
			if (depth == SCAN_DEPTH)
				scan_die(s, "nested deeper than %d levels", SCAN_DEPTH);
			if (c == '{')
				s->nesting[depth / 64] |= 1ULL << depth % 64;
			else
				s->nesting[depth / 64] &= ~(1ULL << depth % 64);
			depth++;
			s->at++;
			break;
		case '}':
		case ']':
			if (depth == 0)
				scan_die(s, "expected a value, not '%c'", c);
			depth--;
			if ((s->nesting[depth / 64] >> depth % 64 & 1) != (c == '}'))
				scan_die(s, "'%c' closes '%c'", c, c == '}' ? '[' : '{');
			s->at++;
			break;
		case ',':
		case ':':
			if (depth == 0)
				scan_die(s, "expected a value, not '%c'", c);
			s->at++;
			break;
		default:
			if (!scan_skip_scalar(s))
				return false;
		}
	} while (depth > 0);
	return true;
}
