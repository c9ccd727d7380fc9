/* Records of what small runs determine, and what they do not. */
#include "coefficient.h"

#include "observed.h"

static const char *const coefficient_sources[] = { "measured", "fitted", NULL };

static const struct field coefficient_term_field[] = {
	REQUIRED(coefficient_term, value, ANY),
	REQUIRED(coefficient_term, exponents, ANY),
};
static const struct fields coefficient_term_fields = FIELDS(coefficient_term, "terms");

static const struct field coefficient_field[] = {
	REQUIRED(coefficient, of, ANY),
	OPTIONAL(coefficient, run, ANY),
	OPTIONAL(coefficient, layer, ANY),
	CHOICE(coefficient, part, true, observed_parts),
	CHOICE(coefficient, phase, true, observed_phases),
	OPTIONAL(coefficient, order, NONNEGATIVE),
	OPTIONAL(coefficient, type, ANY),
	OPTIONAL(coefficient, tensor, ANY),
	OPTIONAL(coefficient, index, NONNEGATIVE),
	OPTIONAL(coefficient, axis, NONNEGATIVE),
	CHOICE(coefficient, op, true, observed_ops),
	OPTIONAL(coefficient, nodes, POSITIVE),
	OPTIONAL(coefficient, members, POSITIVE),
	NESTED(FIELD_ARRAY, coefficient, terms, true, &coefficient_term_fields),
	OPTIONAL(coefficient, knots, NONNEGATIVE),
	OPTIONAL(coefficient, regime, POSITIVE),
	CHOICE(coefficient, source, false, coefficient_sources),
	OPTIONAL(coefficient, error, NONNEGATIVE),
	REQUIRED(coefficient, runs, POSITIVE),
	OPTIONAL(coefficient, valid, NONNEGATIVE),
	OPTIONAL(coefficient, left_out, NONNEGATIVE),
};
const struct fields coefficient_fields = FIELDS(coefficient, "coefficient");

static const struct field doubt_field[] = {
	REQUIRED(doubt, of, ANY),
	OPTIONAL(doubt, layer, ANY),
	CHOICE(doubt, part, true, observed_parts),
	CHOICE(doubt, phase, true, observed_phases),
	REQUIRED(doubt, factors, ANY),
	REQUIRED(doubt, why, ANY),
	OPTIONAL(doubt, count, POSITIVE),
	NESTED(FIELD_OBJECT, doubt, run, true, &training_run_fields),
};
const struct fields doubt_fields = FIELDS(doubt, "doubt");
