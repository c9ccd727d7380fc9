/* Blocks as comma-separated values (RFC 4180). */
#include "csv.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/output.h"

#include "block.h"

/* Spreadsheets treat these first characters as a formula; an apostrophe prevents that. */
static void
put_text(FILE *out, const char *text)
{
	bool formula = *text != '\0' && strchr("=+-@", *text) != NULL;

	if (strpbrk(text, ",\"\r\n") == NULL) {
		fprintf(out, "%s%s", formula ? "'" : "", text);
		return;
	}
	fputs(formula ? "\"'" : "\"", out);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void
put(const struct block *b, void *out)
{
	put_text(out, b->plan);
	fprintf(out, ",%d,%d,%d,%s,%.15g,%.15g,%.15g\n", b->stage, b->chunk, b->micro, phase_names[b->phase],
	    b->start, b->end, b->memory);
}

void
csv_write(const char *path, const struct sim_runs *runs)
{
	struct output out;

	output_open(&out, path);
	fputs("plan,stage,chunk,micro,phase,start,end,memory\n", out.file);
	for (int i = 0; i < runs->n; i++)
		blocks_each(&runs->at[i], put, out.file);
	output_commit(&out);
}
