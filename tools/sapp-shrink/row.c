#include "row.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/share.h"

enum { NUMBER_MOST = 1 << 24 };

const char *const row_purposes[] = { "anchor", "lever", "traffic", "static", NULL };

static const struct field shrink_row_field[] = {
	REQUIRED(shrink_row, name, ANY),
	CHOICE(shrink_row, purpose, false, row_purposes),
	OPTIONAL(shrink_row, base, ANY),
	OPTIONAL(shrink_row, always, ANY),
	OPTIONAL(shrink_row, each, ANY),
	OPTIONAL(shrink_row, whole, ANY),
	OPTIONAL(shrink_row, tp, ANY),
	OPTIONAL(shrink_row, cp, ANY),
	OPTIONAL(shrink_row, pp, ANY),
	OPTIONAL(shrink_row, ep, ANY),
	OPTIONAL(shrink_row, etp, ANY),
	OPTIONAL(shrink_row, seq, ANY),
	OPTIONAL(shrink_row, mbs, ANY),
	OPTIONAL(shrink_row, experts, ANY),
	OPTIONAL(shrink_row, layers, ANY),
	OPTIONAL(shrink_row, micro_batches, ANY),
	OPTIONAL(shrink_row, nodes, POSITIVE),
	OPTIONAL(shrink_row, moe, ANY),
	OPTIONAL(shrink_row, tp_most, POSITIVE),
	OPTIONAL(shrink_row, seq_least, POSITIVE),
	OPTIONAL(shrink_row, seq_most, POSITIVE),
	OPTIONAL(shrink_row, experts_most, POSITIVE),
	OPTIONAL(shrink_row, shard_least, POSITIVE),
	OPTIONAL(shrink_row, pp_least, POSITIVE),
	OPTIONAL(shrink_row, layers_of, POSITIVE),
	OPTIONAL(shrink_row, most, POSITIVE),
	CHOICE(shrink_row, recompute, true, recomputation_names),
};
const struct fields shrink_row_fields = FIELDS(shrink_row, "row");

struct shrink_rows
rows_read(const char *path)
{
	char *own = path == NULL ? share_path("runs/default.jsonl") : xstrdup(path);
	char *const operands[] = { own, NULL };
	struct shrink_rows rows = { 0 };
	struct reader in;
	struct record r;

	reader_open(&in, operands, 0);
	while (reader_next(&in, &r)) {
		json_t *object = json_loads(r.text, 0, NULL);
		struct shrink_row *row = APPEND(rows.at, rows.n);

		*row = (struct shrink_row){
			.place = { path != NULL ? path : "share/runs/default.jsonl", r.place.line } };
		fields_get(&shrink_row_fields, row, object, row->place);
		if (!GIVEN(shrink_row, row, recompute))
			row->recompute = -1;
		rows.choice |= !row->always;
		json_decref(object);
		record_free(&r);
	}
	reader_close(&in);
	if (rows.n == 0)
		place_die((struct place){ .source = path != NULL ? path : own }, "no row of runs in it");
	free(own);
	return rows;
}

void
shrink_rows_free(struct shrink_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		fields_free(&shrink_row_fields, &rows->at[i]);
	free(rows->at);
}

int
row_number(const struct shrink_row *r, const char *member, const char *text, int base, int devices, int most)
{
	bool times, part, of;
	double value;
	char *end;
	long n;

	if (text == NULL || strcmp(text, "base") == 0)
		return base;
	times = *text == 'x';
	part = *text == '/';
	of = strncmp(text, "n/", 2) == 0;
	n = strtol(text + (of ? 2 : times || part), &end, 10);
	if (end == text + (of ? 2 : times || part) || *end != '\0' || n < 1 || n > NUMBER_MOST)
		place_die(r->place, "row '%s': %s: not a number, base, x2, /2 or n/2 '%s'", r->name, member,
		    text);
	value = of ? (double)devices / (double)n : times ? (double)base * (double)n : part ? (double)base / (double)n :
	    (double)n;
	if (times && most > 0 && value > most)
		value = (double)base / (double)n;
	if (value < 1 || value > NUMBER_MOST || (part && base % n != 0))
		place_die(r->place, "row '%s': %s: '%s' of %d is not a whole number of at least 1", r->name, member,
		    text,
		    of ? devices : base);
	return (int)value;
}
