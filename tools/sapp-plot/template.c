#include "template.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/share.h"
#include "lib/base/slurp.h"
#include "lib/base/status.h"

static const char begin_mark[] = "/*DATA*/", end_mark[] = "/*END*/";

void
template_open(struct template *t, const char *name, const char *path)
{
	char *page = share_path(name), *begin;
	size_t length;

	*t = (struct template){ .to_stdout = path == NULL };
	t->text = slurp(page, 1 << 20, &length);
	begin = strstr(t->text, begin_mark);
	t->rest = begin == NULL ? NULL : strstr(begin, end_mark);
	if (t->rest == NULL)
		errx(STATUS_ERROR, "%s: no place for the data, %s ... %s", page, begin_mark, end_mark);
	t->rest += strlen(end_mark);
	free(page);
	if (!t->to_stdout)
		output_open(&t->out, path);
	t->file = t->to_stdout ? stdout : t->out.file;
	fwrite(t->text, 1, (size_t)(begin - t->text), t->file);
}

void
template_close(struct template *t)
{
	fputs(t->rest, t->file);
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
