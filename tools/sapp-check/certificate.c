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

static const struct field certificate_steps_field[] = {
	REQUIRED(certificate_steps, steps, NONNEGATIVE),
};
static const struct fields certificate_steps_fields = FIELDS(certificate_steps, "path");

static const struct field certificate_load_field[] = {
	REQUIRED(certificate_load, stage, NONNEGATIVE),
};
static const struct fields certificate_load_fields = FIELDS(certificate_load, "load");

static const struct field certificate_mean_field[] = {
	REQUIRED(certificate_mean, node, POSITIVE),
	REQUIRED(certificate_mean, paths, NONNEGATIVE),
	REQUIRED(certificate_mean, weights, NONNEGATIVE),
	OPTIONAL(certificate_mean, prices, ANY),
};
static const struct fields certificate_mean_fields = FIELDS(certificate_mean, "bound");

static const struct field certificate_division_field[] = {
	REQUIRED(certificate_division, node, POSITIVE),
	REQUIRED(certificate_division, stage, NONNEGATIVE),
	OPTIONAL(certificate_division, chunk, NONNEGATIVE),
	OPTIONAL(certificate_division, layers, NONNEGATIVE),
	OPTIONAL(certificate_division, first, NONNEGATIVE),
	OPTIONAL(certificate_division, backward, NONNEGATIVE),
	OPTIONAL(certificate_division, border, NONNEGATIVE),
};
const struct fields certificate_division_fields = FIELDS(certificate_division, "branch");

static const struct field end_field[] = {
	{ .name = NULL },
};
static const struct fields end_fields = { .name = "end", .size = sizeof(uint64_t), .n = 0, .field = end_field };

static const struct fields *const fields_of[] = {
	[CERTIFICATE_PROOF] = &claim_fields, [CERTIFICATE_PATH] = &certificate_steps_fields,
	[CERTIFICATE_LOAD] = &certificate_load_fields, [CERTIFICATE_BOUND] = &certificate_mean_fields,
	[CERTIFICATE_BRANCH] = &certificate_division_fields, [CERTIFICATE_END] = &end_fields,
};

void
certificate_open(struct certificate *c, char *text, size_t length, const char *source)
{
	*c = (struct certificate){ .place = { source, 0 }, .text = text, .next = text };
	if (strlen(text) < length)
		place_die(c->place, "not a certificate: it contains a NUL byte");
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
		place_die(c->place, "not a record of a certificate (proof, path, load, bound, branch, end) '%s'",
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
		place_die(c->place, "more text after the end record");
	free(c->text);
}

void
certificate_record_free(struct certificate_record *r)
{
	fields_free(fields_of[r->kind], &r->claim);
}
