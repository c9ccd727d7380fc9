#include "template.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/share.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"

static const char begin_mark[] = "/*DATA*/", end_mark[] = "/*END*/", include_mark[] = "/*INCLUDE ";

/* Sizes in bytes: maximum of a template; pages above LARGE cause a warning. */
enum { MEGA = 1 << 20, TEMPLATE_MAX = MEGA, LARGE = 16 * MEGA };

/* Write a part of the page, and expand includes from share/. */
static void
put(FILE *f, const char *text, const char *end)
{
	const char *name, *stop;
	size_t length;

	for (; (name = memmem(text, (size_t)(end - text), include_mark, strlen(include_mark))) != NULL; text = stop) {
		char *file, *path, *part;

		fwrite(text, 1, (size_t)(name - text), f);
		name += strlen(include_mark);
		stop = memmem(name, (size_t)(end - name), "*/", 2);
		if (stop == NULL)
			errx(STATUS_ERROR, "%s ... without its end marker", include_mark);
		file = xstrndup(name, (size_t)(stop - name));
		path = share_path(file);
		part = slurp(path, TEMPLATE_MAX, &length);
		fwrite(part, 1, length, f);
		free(part);
		free(path);
		free(file);
		stop += 2;
	}
	fwrite(text, 1, (size_t)(end - text), f);
}

void
template_open(struct template *t, const char *name, const char *path)
{
	char *page = share_path(name), *begin;
	size_t length;

	*t = (struct template){ .to_stdout = path == NULL };
	t->text = slurp(page, TEMPLATE_MAX, &length);
	begin = strstr(t->text, begin_mark);
	t->rest = begin == NULL ? NULL : strstr(begin, end_mark);
	if (t->rest == NULL)
		errx(STATUS_ERROR, "%s: no markers for the data, %s ... %s", page, begin_mark, end_mark);
	t->rest += strlen(end_mark);
	free(page);
	if (!t->to_stdout)
		output_open(&t->out, path);
	t->file = t->to_stdout ? stdout : t->out.file;
	put(t->file, t->text, begin);
}

void
template_close(struct template *t)
{
	long size;

	put(t->file, t->rest, t->rest + strlen(t->rest));
	size = ftell(t->file);
	if (size > LARGE)
		warnx("%s: the page has %ld MB, which is slow in a browser: simulate fewer micro-batches or stages, or "
		    "draw a picture, FILE.png", t->to_stdout ? "-html" : t->out.path, size / MEGA);
	if (!t->to_stdout)
		output_commit(&t->out);
	free(t->text);
	*t = (struct template){ 0 };
}

void
template_string(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s != '\0'; s++)
		if ((unsigned char)*s < ' ' || strchr("\"\\<>&", *s) != NULL)
			fprintf(f, "\\u%04x", (unsigned char)*s);
		else
			putc(*s, f);
	putc('"', f);
}
