#include "fitted.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

const char *const regime_names[REGIME] = { "tp", "cp", "ep", "pp" };

void
fitted_add(struct coefficient *c, const struct power *p, double value)
{
	struct coefficient_term *t = NULL;

	for (int i = 0; i < c->terms.n; i++) {
		struct coefficient_term *of = (struct coefficient_term *)c->terms.at + i;
		bool same = true;

		for (int f = 0, k = 0; f < FACTORS; f++) {
			double e = k < of->exponents.n && strcmp(of->exponents.name[k], factor_names[f]) == 0 ?
			    of->exponents.at[k++] : 0;

			same &= e == p->exponent[f];
		}
		if (same)
			t = of;
	}
	if (t == NULL) {
		c->terms.at = xreallocarray(c->terms.at, (size_t)c->terms.n + 1, sizeof *t);
		t = (struct coefficient_term *)c->terms.at + c->terms.n++;
		*t = (struct coefficient_term){ .value = 0 };
		for (int f = 0; f < FACTORS; f++)
			if (p->exponent[f] != 0)
				amounts_add(&t->exponents, factor_names[f], p->exponent[f]);
	}
	t->value += value;
	field_give(&coefficient_fields, c, offsetof(struct coefficient, terms));
}

void
fitted_set_place(struct coefficient *c, const struct place_of *at)
{
	GIVE(coefficient, c, part, at->part);
	GIVE(coefficient, c, phase, at->phase);
	if (at->layer != NULL)
		GIVE(coefficient, c, layer, (char *)at->layer);
}

bool
fitted_said(const struct observed_run *r, int factor)
{
	return factor == FACTOR_SEQ ? GIVEN(training_run, &r->run.run, seq_length) :
	    factor == FACTOR_EXPERTS ? GIVEN(training_run, &r->run.run, experts) : true;
}

void
fitted_free(struct coefficient *c)
{
	for (int i = 0; i < c->terms.n; i++)
		amounts_free(&((struct coefficient_term *)c->terms.at)[i].exponents);
	free(c->terms.at);
	amounts_free(&c->regime);
	amounts_free(&c->valid);
}

void
fitted_put(FILE *out, const struct observed_run *const *run, size_t n, struct coefficient *c)
{
	for (int i = 0; i < REGIME; i++)
		amounts_add(&c->regime, regime_names[i], run[0]->more[i] ? 2 : 1);
	field_give(&coefficient_fields, c, offsetof(struct coefficient, regime));
	for (int k = 0; k < FACTORS; k++) {
		bool same = fitted_said(run[0], k);

		for (size_t i = 1; i < n; i++)
			same &= run[i]->x[k] == run[0]->x[k];
		if (same)
			amounts_add(&c->valid, factor_names[k], run[0]->x[k]);
	}
	/* All factors of a single run are as measured. */
	if (n == 1)
		c->source = FROM_MEASURED;
	if (c->valid.n > 0)
		field_give(&coefficient_fields, c, offsetof(struct coefficient, valid));
	record_put(out, RECORD_COEFFICIENT, c);
	fitted_free(c);
}

void
fitted_put_alone(FILE *out, const struct observed_run *run, struct coefficient *c, double value)
{
	c->runs = 1;
	GIVE(coefficient, c, run, run->run.run.of.name);
	fitted_add(c, &(struct power){ .value = 0 }, value);
	fitted_put(out, &run, 1, c);
}
