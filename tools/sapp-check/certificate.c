/* Certificate: lines read. */
#include "certificate.h"

#include <stdlib.h>
#include <string.h>

#include "lib/field/xjson.h"

static const struct field claim_field[] = {
	REQUIRED(claim, plan, ANY),
	REQUIRED(claim, question, ANY),
	OPTIONAL(claim, bound, NONNEGATIVE),
};
const struct fields claim_fields = FIELDS(claim, "proof");

static const struct field steps_field[] = {
	REQUIRED(steps, steps, NONNEGATIVE),
};
static const struct fields steps_fields = FIELDS(steps, "path");

static const struct field load_field[] = {
	REQUIRED(load, stage, NONNEGATIVE),
};
static const struct fields load_fields = FIELDS(load, "load");

static const struct field mean_field[] = {
	REQUIRED(mean, node, POSITIVE),
	REQUIRED(mean, paths, NONNEGATIVE),
	REQUIRED(mean, weights, NONNEGATIVE),
	OPTIONAL(mean, prices, ANY),
};
static const struct fields mean_fields = FIELDS(mean, "bound");

static const struct field division_field[] = {
	REQUIRED(division, node, POSITIVE),
	REQUIRED(division, stage, NONNEGATIVE),
	OPTIONAL(division, chunk, NONNEGATIVE),
	OPTIONAL(division, layers, NONNEGATIVE),
	OPTIONAL(division, first, NONNEGATIVE),
	OPTIONAL(division, backward, NONNEGATIVE),
	OPTIONAL(division, border, NONNEGATIVE),
};
const struct fields division_fields = FIELDS(division, "branch");

static const struct field end_field[] = {
	{ .name = NULL },
};
static const struct fields end_fields = { .name = "end", .size = sizeof(uint64_t), .n = 0, .field = end_field };

static const struct fields *const fields_of[] = {
	[CERTIFICATE_PROOF] = &claim_fields, [CERTIFICATE_PATH] = &steps_fields,
	[CERTIFICATE_LOAD] = &load_fields, [CERTIFICATE_BOUND] = &mean_fields,
	[CERTIFICATE_BRANCH] = &division_fields, [CERTIFICATE_END] = &end_fields,
};

void
certificate_open(struct certificate *c, char *text, size_t length, const char *source)
{
	*c = (struct certificate){ .place = { source, 0 }, .text = text, .next = text };
	if (strlen(text) < length)
		place_die(c->place, "no certificate: it has a byte of 0");
}

void
certificate_next(struct certificate *c, struct certificate_record *r)
{
	size_t length = strcspn(c->next, "\n");
	json_error_t error;
	json_t *line;
	const char *kind;
	int k = 0;

	c->place.line++;
	*r = (struct certificate_record){ .place = c->place };
	if (*c->next == '\0')
		place_die(c->place, "the certificate ends before its end record");
	line = xjson_parse(c->next, length, &error);
	c->next += length + (c->next[length] == '\n');
	if (line == NULL)
		place_die(c->place, "not JSON: %s", error.text);
	kind = json_string_value(json_object_get(line, "kind"));
	while (k <= CERTIFICATE_END && (kind == NULL || strcmp(kind, fields_of[k]->name) != 0))
		k++;
	if (k > CERTIFICATE_END)
		place_die(c->place, "no record of a certificate (proof, path, load, bound, branch, end) '%s'",
		    kind != NULL ? kind : "");
	r->kind = (enum certificate_kind)k;
	fields_get(fields_of[k], &r->claim, line, c->place);
	json_decref(line);
}

void
certificate_close(struct certificate *c)
{
	c->place.line++;
	if (*c->next != '\0')
		place_die(c->place, "something follows the end record");
	free(c->text);
}

void
certificate_record_free(struct certificate_record *r)
{
	fields_free(fields_of[r->kind], &r->claim);
}
