#include "coefficient.h"

#include <math.h>
#include <string.h>

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

static void
check_names(const struct amounts *of, const char *const names[], const char *member, struct place at)
{
	for (int i = 0; i < of->n; i++) {
		int k = 0;

		while (names[k] != NULL && strcmp(names[k], of->name[i]) != 0)
			k++;
		if (names[k] == NULL)
			place_die(at, "coefficient: %s: unknown factor '%s'", member, of->name[i]);
	}
}

void
coefficient_check(struct coefficient *c, struct place at)
{
	static const char *const degrees[] = { "tp", "cp", "ep", "pp", NULL };
	static const char *const factors[] = { "tp", "cp", "ep", "mbs", "seq", "experts", NULL };

	check_names(&c->regime, degrees, "regime", at);
	for (int i = 0; i < c->terms.n; i++) {
		const struct amounts *e = &((const struct coefficient_term *)c->terms.at)[i].exponents;

		check_names(e, factors, "exponents", at);
		for (int k = 0; k < e->n; k++)
			if (fabs(e->at[k]) > 8)
				place_die(at, "coefficient: exponents: not between -8 and 8 '%g'", e->at[k]);
	}
}

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
