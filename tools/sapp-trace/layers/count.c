#include "count.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memstream.h"

struct count
count_of(const struct layer_rows *b)
{
	struct count c = { .even = true };
	size_t each[2] = { 0, 0 };

	for (size_t i = 0; i < b->n; i++) {
		bool k = b->at[i].backward;

		c.even &= each[k] == 0 || each[k] == b->at[i].layers;
		each[k] = b->at[i].layers;
		c.longest = each[k] > c.longest ? each[k] : c.longest;
		c.layers[k] += b->at[i].layers;
		c.rows[k]++;
	}
	return c;
}

void
count_drop_first(struct layer_rows *b, struct count *c)
{
	if (b->named || c->layers[1] == 0 || c->layers[0] != c->layers[1] + c->rows[0])
		return;
	for (size_t i = 0; i < b->n; i++)
		if (!b->at[i].backward && b->at[i].layers > 1)
			memmove(b->at[i].start, b->at[i].start + 1, --b->at[i].layers * sizeof *b->at[i].start);
	*c = count_of(b);
}

char *
count_text(const struct count *c, const struct layer_rows *b, const struct sequence *s)
{
	char *text;
	size_t n;
	FILE *f = memstream_open(&text, &n);

	for (int k = 0; k < 2; k++) {
		char *names;

		if (b->anchors[k].n == 0) {
			fprintf(f, "%s%s: nothing repeats", k ? "; " : "", k ? "backward" : "forward");
			continue;
		}
		names = anchors_text(&b->anchors[k], s);
		fprintf(f, "%s%s: %zu kernels %s, %zu layers in rows of ", k ? "; " : "",
		    k ? "backward" : "forward", b->found[k], names, c->layers[k]);
		free(names);
		for (size_t i = 0, shown = 0; i < b->n && shown < 9; i++)
			if (b->at[i].backward == k)
				fprintf(f, shown++ ? " %zu" : "%zu", b->at[i].layers);
		fputs(c->rows[k] > 9 ? " ..." : "", f);
	}
	memstream_close(f);
	return text;
}
