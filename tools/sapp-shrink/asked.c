#include "asked.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

#define KNOWN (RECORDS(RECORD_RUN) | RECORDS(RECORD_KERNEL) | RECORDS(RECORD_COEFFICIENT) | RECORDS(RECORD_COVERAGE))

/* Mark a run as made, because results of it exist. */
static void
mark_made(struct asked *a, const char *name)
{
	for (size_t i = a->nruns; i-- > 0 && name != NULL;)
		if (a->run[i].of.name != NULL && strcmp(a->run[i].of.name, name) == 0) {
			a->made[i] = true;
			return;
		}
}

static void
take_known(struct asked *a, const struct record *r, double least)
{
	if (r->kind == RECORD_KERNEL)
		mark_made(a, r->kernel.run);
	if (r->kind == RECORD_COEFFICIENT && GIVEN(coefficient, &r->coefficient, run))
		mark_made(a, r->coefficient.run);
	if (r->kind == RECORD_RUN) {
		struct training_run *to;

		a->made = xreallocarray(a->made, a->nruns + 1, sizeof *a->made);
		a->made[a->nruns] = GIVEN(training_run, &r->run, step_time);
		to = APPEND(a->run, a->nruns);
		*to = (struct training_run){ 0 };
		fields_copy(&training_run_fields, to, &r->run);
		/* Set the defaults, which the record omits. */
		training_run_check(to, r->place);
	}
	if (r->kind == RECORD_COVERAGE)
		for (int i = 0; i < r->coverage.time.n; i++)
			if (strcmp(r->coverage.time.name[i], "measured") == 0 && r->coverage.time.at[i] >= least)
				APPEND(a->covered, a->ncovered)->name = xstrdup(r->coverage.name);
}

static bool
is_covered(const struct asked *a, const struct configuration *c)
{
	char *name = c->name != NULL ? xstrdup(c->name) : configuration_name(c);
	bool there = false;

	for (size_t i = 0; i < a->ncovered && !there; i++)
		there = strcmp(a->covered[i].name, name) == 0;
	free(name);
	return there;
}

static void
note_shape(struct asked *a, const struct configuration *c, bool first)
{
	struct shapes of = shape_of(c, inputs_network(&a->in));
	struct asked_shape *s = NULL;

	for (size_t i = 0; i < a->nshapes && s == NULL; i++)
		if (shape_same(&a->shape[i].of, &of))
			s = &a->shape[i];
	if (s == NULL) {
		s = APPEND(a->shape, a->nshapes);
		*s = (struct asked_shape){ .of = of, .like = *c };
		s->like.name = s->like.origin = s->like.reject = s->like.why = NULL;
		s->like.stage_layers = (struct grid){ 0 };
	}
	if (!first)
		return;
	s->candidates++;
	s->again |= c->recompute != KEEP_ALL;
	s->known |= is_covered(a, c);
}

/* Free the names of the candidates. With keep, the first candidates share their names with all. */
static void
free_names(struct asked *a)
{
	for (size_t i = 0; i < (a->keep ? a->nall : a->nfirst); i++)
		free(a->keep ? a->all[i].name : a->first[i].name);
}

static void
take_candidate(struct asked *a, const struct configuration *c, bool estimate)
{
	struct configuration own = *c;

	own.name = c->name != NULL ? xstrdup(c->name) : configuration_name(c);
	own.origin = own.reject = own.why = NULL;
	own.stage_layers = (struct grid){ 0 };
	if (inputs_network(&a->in)->experts == 0)
		own.ep = own.etp = 1;
	if (estimate && !a->estimates) {
		free_names(a);
		a->nfirst = a->nall = 0;
		a->estimates = true;
	}
	note_shape(a, &own, false);
	if (a->keep && estimate == a->estimates)
		*APPEND(a->all, a->nall) = own;
	if (a->nfirst < (size_t)a->k && estimate == a->estimates)
		*APPEND(a->first, a->nfirst) = own;
	else if (!a->keep || estimate != a->estimates)
		free(own.name);
}

/* Find the factors that differ between the candidates of a regime. */
static void
compare(struct asked *a)
{
	for (size_t i = 0; i < a->nshapes; i++)
		for (size_t k = 0; k < i; k++) {
			const struct configuration *c = &a->shape[i].like, *d = &a->shape[k].like;
			int r = regime_of(c);

			if (regime_of(d) != r)
				continue;
			a->vary[r][FACTOR_TP] |= c->tp != d->tp;
			a->vary[r][FACTOR_CP] |= c->cp != d->cp;
			a->vary[r][FACTOR_EP] |= c->ep != d->ep;
			a->vary[r][FACTOR_MBS] |= c->mbs != d->mbs;
		}
}

static void
read_known(struct asked *a, const char *path, double least)
{
	char *const operands[] = { (char *)path, NULL };
	struct reader in;
	struct record r;

	reader_open(&in, operands, KNOWN);
	while (reader_next(&in, &r)) {
		take_known(a, &r, least);
		record_free(&r);
	}
	reader_close(&in);
}

void
asked_read(struct asked *a, char *const operands[], const char *cluster, const char *known, double least)
{
	struct line line = { 0 };
	struct record r;

	inputs_open(&a->in, operands, KNOWN | RECORDS(RECORD_CANDIDATE) | RECORDS(RECORD_ESTIMATE), cluster);
	if (known != NULL)
		read_known(a, known, least);
	while (inputs_next(&a->in, &r, &line)) {
		if (r.kind == RECORD_CANDIDATE && r.candidate.reject == NULL)
			take_candidate(a, &r.candidate, false);
		else if (r.kind == RECORD_ESTIMATE && r.estimate.fits)
			take_candidate(a, &r.estimate.of, true);
		else
			take_known(a, &r, least);
		record_free(&r);
		line.length = 0;
	}
	line_free(&line);
	if (a->nfirst == 0)
		place_die((struct place){ a->in.reader.source, a->in.reader.line }, "no candidate that fits in the "
		    "input; sapp-enum and sapp-est write candidates");
	for (size_t i = 0; i < a->nfirst; i++)
		note_shape(a, &a->first[i], true);
	compare(a);
}

void
asked_free(struct asked *a)
{
	free_names(a);
	for (size_t i = 0; i < a->nruns; i++)
		fields_free(&training_run_fields, &a->run[i]);
	for (size_t i = 0; i < a->ncovered; i++)
		free(a->covered[i].name);
	free(a->covered);
	free(a->first);
	free(a->all);
	free(a->shape);
	free(a->run);
	free(a->made);
	inputs_close(&a->in);
}
