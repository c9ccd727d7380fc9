#include "doubt.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

void
doubts_add(struct doubts *d, struct place_of at, const char *of, const bool unsure[FACTORS], bool third,
    const char *why)
{
	struct untold *u;

	for (size_t i = 0; i < d->n; i++) {
		u = &d->at[i];
		if (u->doubt.part == at.part && u->doubt.phase == at.phase && strcmp(u->doubt.of, of) == 0 &&
		    strcmp(u->doubt.why, why) == 0 && memcmp(u->unsure, unsure, sizeof u->unsure) == 0 &&
		    (u->doubt.layer == at.layer || (u->doubt.layer != NULL && at.layer != NULL &&
		    strcmp(u->doubt.layer, at.layer) == 0))) {
			u->doubt.count++;
			return;
		}
	}
	u = APPEND(d->at, d->n);
	*u = (struct untold){ .doubt = { .of = (char *)of, .why = (char *)why, .part = at.part,
		.phase = at.phase, .layer = (char *)at.layer, .count = 1 }, .third = third };
	memcpy(u->unsure, unsure, sizeof u->unsure);
}

/*
 * Return a number (2, 4, ...) such that no run equals the first run with its factor multiplied by it. THIRD: such that
 * no run has this value of the factor.
 */
static int
new_multiple(const struct observed_run *const *run, size_t n, int factor, bool third)
{
	int by = 2;

	for (size_t i = 0; i < n; i++) {
		double x[FACTORS];

		memcpy(x, run[0]->x, sizeof x);
		x[factor] *= by;
		if (third ? x[factor] == run[i]->x[factor] : memcmp(x, run[i]->x, sizeof x) == 0) {
			by *= 2;
			i = (size_t)-1;		/* start again at the first run */
		}
	}
	return by;
}

/* Propose the first run with its factor multiplied by BY. Proposes nothing if the run lacks the factor. */
static void
suggest(struct doubt *d, const struct observed_run *like, int factor, int by)
{
	static const size_t own[] = { offsetof(struct training_run, step_time), offsetof(struct training_run, dir),
		offsetof(struct training_run, command), offsetof(struct training_run, tells),
		offsetof(struct training_run, devices), offsetof(struct training_run, cost) };
	const struct training_run *r = &like->run.run;
	double x = like->x[factor];
	struct training_run *to = &d->run;

	fields_copy(&training_run_fields, to, r);
	to->of.given = 0;
	/* Drop the members that belong to the first run itself. */
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		to->given &= ~field_bit(&training_run_fields, own[i]);
	free(to->of.name);
	to->of.name = xasprintf("%s_%s%.15g", r->of.name, factor_names[factor], x * by);
	switch (factor) {
	case FACTOR_TP:
		to->of.tp *= by;
		break;
	case FACTOR_CP:
		to->of.cp = r->of.cp * by;
		field_give(&training_run_fields, to, offsetof(struct training_run, of.cp));
		break;
	case FACTOR_EP:
		to->of.ep = r->of.ep * by;
		field_give(&training_run_fields, to, offsetof(struct training_run, of.ep));
		break;
	case FACTOR_MBS:
		to->of.mbs = r->of.mbs * by;
		field_give(&training_run_fields, to, offsetof(struct training_run, of.mbs));
		break;
	case FACTOR_SEQ:
		if (!GIVEN(training_run, r, seq_length))
			return;
		to->seq_length *= by;
		break;
	default:
		if (!GIVEN(training_run, r, experts))
			return;
		to->experts *= by;
		break;
	}
	field_give(&doubt_fields, d, offsetof(struct doubt, run));
}

void
doubt_write(FILE *out, struct untold *u, const struct observed_run *const *run, size_t n)
{
	int first = -1;

	for (int i = FACTORS; i-- > 0;)
		if (u->unsure[i])
			first = i;
	for (int i = 0; i < FACTORS; i++)
		if (u->unsure[i])
			texts_add(&u->doubt.factors, factor_names[i]);
	if (u->doubt.count > 0) {
		GIVE(doubt, &u->doubt, count, u->doubt.count);
		GIVE(doubt, &u->doubt, part, u->doubt.part);
		GIVE(doubt, &u->doubt, phase, u->doubt.phase);
		if (u->doubt.layer != NULL)
			GIVE(doubt, &u->doubt, layer, u->doubt.layer);
	}
	if (first >= 0)
		suggest(&u->doubt, run[0], first, new_multiple(run, n, first, u->third));
	record_put(out, RECORD_DOUBT, &u->doubt);
	texts_free(&u->doubt.factors);
	fields_free(&training_run_fields, &u->doubt.run);
}
