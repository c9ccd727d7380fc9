#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static void
add_run(struct fit_sample *s, struct record *rec)
{
	const struct training_run *r = &rec->run;
	struct observed_run o = { .run = *rec };

	if (r->of.name == NULL)
		place_die(rec->place, "run: missing member 'name', which its kernels refer to");
	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->at[i].run.run.of.name, r->of.name) == 0)
			place_die(rec->place, "run: a second run with the name '%s'", r->of.name);
		if (GIVEN(training_run, r, seq_length) != GIVEN(training_run, &s->at[i].run.run, seq_length))
			place_die(rec->place, "run: seq_length of '%s' is %sgiven, unlike seq_length of '%s'",
			    r->of.name,
			    GIVEN(training_run, r, seq_length) ? "" : "not ", s->at[i].run.run.of.name);
	}
	factors_of_run(r, o.x);
	o.more[0] = r->of.tp > 1;
	o.more[1] = r->of.cp > 1;
	o.more[2] = r->of.ep > 1;
	o.more[3] = r->of.pp > 1;
	*APPEND(s->at, s->n) = o;
}

static struct observed_run *
run_of(struct fit_sample *s, const char *name, struct place at)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->at[i].run.run.of.name, name) == 0)
			return &s->at[i];
	place_die(at, "no run record before this one has the name '%s'", name);
}

/* Return the time of the collectives after the pipeline. */
static double
collectives(const struct amounts *parts)
{
	static const char *const names[] = { "embedding_reduce", "gradient_reduce", "parameter_gather" };
	double all = 0;

	for (int i = 0; i < parts->n; i++)
		for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
			all += strcmp(parts->name[i], names[k]) == 0 ? parts->at[i] : 0;
	return all;
}

static void
add_step(struct observed_run *o, const struct measured_step *s)
{
	double outside = collectives(&s->parts);

	o->step = fmax(o->step, s->time);
	o->pipeline = fmax(o->pipeline, s->pipeline);
	if (outside > 0 && (!(o->outside > 0) || outside < o->outside))
		o->outside = outside;
}

/* Take a record that is not a kernel, after the run O or NULL. Return false if the record is to be passed through. */
static bool
add_other(struct observed_run *o, struct record *r)
{
	if (o == NULL)
		return false;
	if (r->kind == RECORD_TIMING) {
		*APPEND(o->timing, o->ntimings) = *r;
		return true;
	}
	if (r->kind == RECORD_STEP)
		add_step(o, &r->step);
	if (r->kind != RECORD_STEP && r->kind != RECORD_LAYER && r->kind != RECORD_JOB)
		return false;
	record_free(r);
	return true;
}

void
sample_read(struct fit_sample *s, char *const operands[], FILE *out)
{
	struct reader in;
	struct record r;

	*s = (struct fit_sample){ 0 };
	reader_open(&in, operands, RECORDS(RECORD_RUN) | RECORDS(RECORD_KERNEL) | RECORDS(RECORD_TENSOR) |
	    RECORDS(RECORD_COMMUNICATION) | RECORDS(RECORD_TIMING) | RECORDS(RECORD_STEP) | RECORDS(RECORD_LAYER) |
	    RECORDS(RECORD_JOB) | RECORDS(RECORD_CANDIDATE));
	while (reader_next(&in, &r)) {
		struct observed_run *o = NULL;

		if (r.kind == RECORD_KERNEL || r.kind == RECORD_TENSOR)
			o = run_of(s, r.kind == RECORD_KERNEL ? r.kernel.run : r.tensor.run, r.place);
		if (r.kind == RECORD_RUN) {
			add_run(s, &r);
			if (out != NULL)
				record_write(out, &r);
		} else if (r.kind == RECORD_KERNEL) {
			*APPEND(o->kernel, o->nkernels) = r;
		} else if (r.kind == RECORD_TENSOR) {
			*APPEND(o->tensor, o->ntensors) = r;
		} else if (r.kind == RECORD_COMMUNICATION) {
			*APPEND(s->communication, s->ncommunications) = r;
		} else if (!add_other(s->n > 0 ? &s->at[s->n - 1] : NULL, &r)) {
			if (out != NULL)
				record_write(out, &r);
			if (r.kind == RECORD_CANDIDATE && r.candidate.reject == NULL) {
				*APPEND(s->candidate, s->ncandidates) = r.candidate;
				s->candidate[s->ncandidates - 1].name = r.candidate.name != NULL ?
				    xstrdup(r.candidate.name) : configuration_name(&r.candidate);
			}
			record_free(&r);
		}
	}
	reader_close(&in);
}

void
sample_free(struct fit_sample *s)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->at[i].nkernels; k++)
			record_free(&s->at[i].kernel[k]);
		for (size_t k = 0; k < s->at[i].ntensors; k++)
			record_free(&s->at[i].tensor[k]);
		for (size_t k = 0; k < s->at[i].ntimings; k++)
			record_free(&s->at[i].timing[k]);
		free(s->at[i].timing);
		free(s->at[i].kernel);
		free(s->at[i].tensor);
		record_free(&s->at[i].run);
	}
	for (size_t i = 0; i < s->ncommunications; i++)
		record_free(&s->communication[i]);
	for (size_t i = 0; i < s->ncandidates; i++)
		free(s->candidate[i].name);
	free(s->candidate);
	free(s->at);
	free(s->communication);
}

static bool
is_at(struct place_of p, int part, int phase, const char *layer)
{
	return part == p.part && phase == p.phase && (p.layer == NULL || layer == NULL ||
	    strcmp(layer, p.layer) == 0);
}

/* Return the most common number of calls of a stage's operators. */
static int
most_calls(const struct fit_row *r)
{
	int best = 1, most = 0;

	for (size_t i = 0; i < r->n; i++) {
		int alike = 0;

		for (size_t k = 0; k < r->n; k++)
			alike += r->at[k]->kernel.calls == r->at[i]->kernel.calls;
		if (alike > most) {
			most = alike;
			best = r->at[i]->kernel.calls;
		}
	}
	return best;
}

struct fit_row
row_kernels(const struct observed_run *o, struct place_of p)
{
	struct fit_row r = { .each = 1 };

	for (size_t i = 0; i < o->nkernels; i++) {
		const struct observed_kernel *k = &o->kernel[i].kernel;

		if (is_at(p, k->part, k->phase, k->layer) && (r.n == 0 || k->stage == r.at[0]->kernel.stage))
			*APPEND(r.at, r.n) = &o->kernel[i];
	}
	if (r.n > 0)
		r.each = most_calls(&r);
	return r;
}

struct fit_row
row_tensors(const struct observed_run *o, struct place_of p)
{
	struct fit_row r = { .each = 1 };

	for (size_t i = 0; i < o->ntensors; i++) {
		const struct observed_tensor *t = &o->tensor[i].tensor;

		if (is_at(p, t->part, t->phase, t->layer) && (r.n == 0 || t->stage == r.at[0]->tensor.stage))
			*APPEND(r.at, r.n) = &o->tensor[i];
	}
	return r;
}

int *
align(size_t n, const char *const a[], size_t m, const char *const b[])
{
	int *of = xcalloc(n + 1, sizeof *of), *cost = xcalloc((n + 1) * (m + 1), sizeof *cost);
#define COST(i, j) cost[(i) * (m + 1) + (j)]

	for (size_t i = n + 1; i-- > 0;)
		for (size_t j = m + 1; j-- > 0;) {
			int c;

			if (i == n || j == m) {
				COST(i, j) = (int)(n - i + m - j);
				continue;
			}
			c = COST(i + 1, j) < COST(i, j + 1) ? COST(i + 1, j) + 1 : COST(i, j + 1) + 1;
			COST(i, j) = strcmp(a[i], b[j]) == 0 && COST(i + 1, j + 1) < c ? COST(i + 1, j + 1) : c;
		}
	for (size_t i = 0, j = 0; i < n;) {
		if (j < m && strcmp(a[i], b[j]) == 0 && COST(i, j) == COST(i + 1, j + 1)) {
			of[i++] = (int)j++;
		} else if (j < m && COST(i, j) == COST(i, j + 1) + 1) {
			j++;
		} else {
			of[i++] = -1;
		}
	}
#undef COST
	free(cost);
	return of;
}
