#include "measurements.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/alloc.h"
#include "lib/base/output.h"
#include "lib/base/share.h"
#include "lib/base/status.h"
#include "lib/record/record.h"
#include "dryruns.h"
#include "layers.h"
#include "profile.h"

#define MEGA 1048576.0

/* Take a peak. It belongs to the configuration in the log's path, or to the current run. */
static void
take_peak(struct est_run *r, const struct peak *p)
{
	struct measured_peak peak = { .memory = MEGA * p->memory, .source = SOURCE_MEASURED };

	if (GIVEN(peak, p, source) && dryruns_degrees(p->source, &peak))
		dryruns_add(&r->how.measured, &peak);
	else
		r->current_peak = fmax(r->current_peak, peak.memory);
}

static void
take_record(struct est_run *r, const struct record *rec)
{
	struct measured *m = &r->how.measured;

	if (rec->kind == RECORD_LAYER && !r->in.have_network)
		place_die(rec->place, "layer: measured layers must come after the network's record");
	if (rec->kind == RECORD_LAYER)
		layers_take(m, &rec->layer, inputs_network(&r->in), rec->place);
	if (rec->kind == RECORD_RUN)
		coefficients_take_run(&r->coefficients, &rec->run);
	if (rec->kind == RECORD_COEFFICIENT)
		coefficients_take(&r->coefficients, &rec->coefficient, rec->place);
	if (rec->kind == RECORD_OPERATOR)
		operator_table_add(&m->operators, &rec->device_operator, rec->place);
	if (rec->kind == RECORD_USAGE)
		usages_take(&r->usages, &rec->usage);
	if (rec->kind == RECORD_TIMING)
		timings_take(&r->timings, &rec->timing);
	if (rec->kind == RECORD_PEAK)
		take_peak(r, &rec->peak);
	if (rec->kind == RECORD_JOB && GIVEN(measured_job, &rec->job, micro_batches))
		r->timings.micro_batches = rec->job.micro_batches;
	if (rec->kind == RECORD_MODEL && GIVEN(model, &rec->model, model_parallel))
		m->tp = rec->model.model_parallel;
	if (rec->kind == RECORD_MODEL && GIVEN(model, &rec->model, batch_size))
		m->mbs = rec->model.batch_size;
}

/* Set the micro-batch size of profiles and peaks without one, to that of the measured layers or of the current run. */
static void
settle_sizes(struct est_run *r, const struct configuration *current)
{
	struct measured *m = &r->how.measured;
	int mbs = m->mbs > 0 ? m->mbs : current != NULL ? current->mbs : 0;
	bool unset = dryruns_settle(m, current != NULL ? current->vp : 1, mbs > 0 ? mbs : 1);

	unset |= profile_settle(m, mbs > 0 ? mbs : 1);
	r->assumed = unset && mbs == 0;
}

static void
read_records(struct est_run *r, const char *file)
{
	char *const operands[] = { (char *)file, NULL };
	struct reader in;
	struct record rec;

	reader_open(&in, operands, MEASURED);
	while (reader_next(&in, &rec)) {
		take_record(r, &rec);
		record_free(&rec);
	}
	reader_close(&in);
}

/* Use the installed operator table of the named cluster, unless other tables were given. */
static void
settle_operators(struct est_run *r)
{
	struct operator_table *t = &r->how.measured.operators;
	const struct cluster *c = inputs_cluster(&r->in);
	char *installed = xasprintf("operators/%s.jsonl", c->name), *path = share_path(installed);

	if (operator_table_empty(t) && r->in.named && strchr(c->name, '/') == NULL && access(path, R_OK) == 0)
		read_records(r, path);
	free(path);
	free(installed);
}

void
measurements_complete(struct est_run *r, const struct configuration *current, struct place at)
{
	if (r->records != NULL)
		read_records(r, r->records);
	settle_operators(r);
	settle_sizes(r, current);
	timings_apply(&r->timings, &r->how.measured, inputs_network(&r->in), at);
	usages_apply(&r->usages, &r->how.measured, &r->coefficients, &r->in);
	coefficients_apply(&r->coefficients, &r->how.measured, inputs_network(&r->in));
	if (!operator_table_empty(&r->how.measured.operators))
		operator_table_settle(&r->how.measured.operators, inputs_cluster(&r->in));
}

void
measurements_of_table(struct est_run *r)
{
	if (r->records != NULL)
		read_records(r, r->records);
	settle_operators(r);
	if (r->coefficients.nruns > 0)
		errx(STATUS_ERROR, "-measured %s: contains runs; give them in the file of -calibrate", r->records);
	coefficients_apply(&r->coefficients, &r->how.measured, NULL);
	operator_table_settle(&r->how.measured.operators, inputs_cluster(&r->in));
}

void
measurements_end(struct est_run *r, const struct record *rec)
{
	const struct configuration *c = &rec->candidate;
	struct measured_peak peak = { .dp = c->dp, .tp = c->tp, .cp = c->cp, .pp = c->pp, .vp = c->vp, .mbs = c->mbs,
	    .ep = c->ep, .memory = r->current_peak, .source = SOURCE_MEASURED };
	bool current = c->origin != NULL && strcmp(c->origin, "current") == 0;

	r->kept.fused = current ? c->fused : r->kept.fused;
	if (!r->asked) {
		if (current && r->timings.micro_batches == 0)
			r->timings.micro_batches = c->micro_batches;
		measurements_complete(r, current ? c : NULL, rec->place);
	}
	if (current && r->current_peak > 0) {
		dryruns_add(&r->how.measured, &peak);
		r->current_peak = 0;
	}
	r->asked = true;
	free(r->last);
	r->last = c->name != NULL ? xstrdup(c->name) : configuration_name(c);
}

/* Forget the measured layers if the network has changed, because they belong to one network. */
static void
follow_network(struct est_run *r)
{
	struct measured *m = &r->how.measured, none = measured_none();

	if (r->asked && r->in.networks != r->networks) {
		memcpy(m->layer, none.layer, sizeof m->layer);
		m->head = none.head;
		m->tail = none.tail;
		m->tp = m->mbs = m->nanchors = 0;
		m->held = m->beside = -1;
		m->before = 0;
		r->asked = false;
	}
	r->networks = r->in.networks;
}

/* Ignore the layers of the last candidate's question. Exit if a measurement comes after the first candidate. */
static void
check_late(const struct est_run *r, const struct record *rec)
{
	const char *of = rec->kind == RECORD_LAYER && GIVEN(layer, &rec->layer, model_name) ? rec->layer.model_name :
	    NULL;

	if (rec->kind != RECORD_LAYER && rec->kind != RECORD_TIMING && rec->kind != RECORD_PEAK &&
	    rec->kind != RECORD_COEFFICIENT && rec->kind != RECORD_USAGE && rec->kind != RECORD_OPERATOR)
		return;
	if (of == NULL || strcmp(of, r->last) != 0)
		place_die(rec->place, "%s: measured records must come before the first candidate",
		    rec->kind == RECORD_LAYER ? "layer" : rec->kind == RECORD_TIMING ? "timing" :
		    rec->kind == RECORD_PEAK ? "peak" : rec->kind == RECORD_USAGE ? "usage" :
		    rec->kind == RECORD_OPERATOR ? "operator" : "coefficient");
}

void
measurements_take(struct est_run *r, const struct record *rec)
{
	follow_network(r);
	if (r->asked) {
		check_late(r, rec);
		return;
	}
	take_record(r, rec);
}

/* Candidates may have the fused operators of the current run, even if no run measures them. */
static void
read_current(struct est_run *r, const char *path)
{
	char *name = xstrdup(path), *operands[] = { name, NULL };
	struct records all;

	records_read(&all, operands, RECORDS(RECORD_CANDIDATE));
	for (size_t i = 0; i < all.n; i++)
		if (all.at[i].kind == RECORD_CANDIDATE)
			r->kept.fused = all.at[i].candidate.fused;
	records_free(&all);
	free(name);
}

void
measurements_read(struct est_run *r, const struct wanted_output *w)
{
	if (w->peaks != NULL)
		dryruns_read(&r->how.measured, w->peaks);
	if (w->profile != NULL)
		profile_read(&r->how.measured, w->profile);
	if (w->current != NULL)
		read_current(r, w->current);
}

void
measurements_tell_assumed(struct est_run *r, bool matters)
{
	if (!r->assumed || !matters)
		return;
	warnx("profile, peaks: unknown micro-batch size, 1 is assumed; give it in a column mbs, as MBS1 in paths of "
	    "logs, or with the training file");
	r->assumed = false;
}

void
measurements_write_nd(struct est_run *r, const struct wanted_output *w)
{
	struct output out;

	if (w->nd == NULL)
		return;
	/* Without a candidate, vp and mbs are unset, so they are taken as 1. */
	dryruns_settle(&r->how.measured, 1, 1);
	output_open(&out, w->nd);
	dryruns_write(out.file, &r->how.measured, inputs_cluster(&r->in)->memory_limit * 1048576, w->ep_most);
	output_commit(&out);
}
