#include "row.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/share.h"

enum { NUMBER_MOST = 1 << 24 };

const char *const row_purposes[] = { "anchor", "lever", "traffic", "static", NULL };

static const struct field row_field[] = {
	REQUIRED(row, name, ANY),
	CHOICE(row, purpose, false, row_purposes),
	OPTIONAL(row, base, ANY),
	OPTIONAL(row, always, ANY),
	OPTIONAL(row, each, ANY),
	OPTIONAL(row, whole, ANY),
	OPTIONAL(row, tp, ANY),
	OPTIONAL(row, cp, ANY),
	OPTIONAL(row, pp, ANY),
	OPTIONAL(row, ep, ANY),
	OPTIONAL(row, etp, ANY),
	OPTIONAL(row, seq, ANY),
	OPTIONAL(row, mbs, ANY),
	OPTIONAL(row, experts, ANY),
	OPTIONAL(row, layers, ANY),
	OPTIONAL(row, micro_batches, ANY),
	OPTIONAL(row, nodes, POSITIVE),
	OPTIONAL(row, moe, ANY),
	OPTIONAL(row, tp_most, POSITIVE),
	OPTIONAL(row, seq_least, POSITIVE),
	OPTIONAL(row, seq_most, POSITIVE),
	OPTIONAL(row, experts_most, POSITIVE),
	OPTIONAL(row, shard_least, POSITIVE),
	OPTIONAL(row, pp_least, POSITIVE),
	OPTIONAL(row, layers_of, POSITIVE),
	OPTIONAL(row, most, POSITIVE),
	CHOICE(row, recompute, true, recomputation_names),
};
const struct fields row_fields = FIELDS(row, "row");

struct rows
rows_read(const char *path)
{
	char *own = path == NULL ? share_path("runs/default.jsonl") : xstrdup(path);
	char *const operands[] = { own, NULL };
	struct rows rows = { 0 };
	struct reader in;
	struct record r;

	reader_open(&in, operands, 0);
	while (reader_next(&in, &r)) {
		json_t *object = json_loads(r.text, 0, NULL);
		struct row *row = APPEND(rows.at, rows.n);

		*row = (struct row){ .place = { path != NULL ? path : "share/runs/default.jsonl", r.place.line } };
		fields_get(&row_fields, row, object, row->place);
		if (!GIVEN(row, row, recompute))
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
rows_free(struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		fields_free(&row_fields, &rows->at[i]);
	free(rows->at);
}

int
row_number(const struct row *r, const char *member, const char *text, int base, int devices, int most)
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
		place_die(r->place, "row '%s': %s: neither a number nor base, x2, /2 or n/2 '%s'", r->name, member,
		    text);
	value = of ? (double)devices / (double)n : times ? (double)base * (double)n : part ? (double)base / (double)n :
	    (double)n;
	if (times && most > 0 && value > most)
		value = (double)base / (double)n;
	if (value < 1 || value > NUMBER_MOST || (part && base % n != 0))
		place_die(r->place, "row '%s': %s: '%s' of %d is no number of at least 1", r->name, member, text,
		    of ? devices : base);
	return (int)value;
}
