#include "measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

enum { STAGES_MAX = 10000 };

static double *
unknown(int n)
{
	double *x = xcalloc((size_t)n, sizeof *x);

	for (int i = 0; i < n; i++)
		x[i] = NAN;
	return x;
}

static void
more(double *x, double value)
{
	*x = isnan(*x) ? value : fmax(*x, value);
}

/* Return the stage of a record, or -1 if it has none. */
static int
stage_of(const struct record *r)
{
	switch (r->kind) {
	case RECORD_STEP:
		return GIVEN(measured_step, &r->step, stage) ? r->step.stage : -1;
	case RECORD_TIMING:
		return GIVEN(timing, &r->timing, stage) ? r->timing.stage : -1;
	case RECORD_PEAK:
		return r->peak.stage;
	default:
		return -1;
	}
}

/*
 * Take the times of a step record. A record without a stage is for the whole run; if none exists, the slowest rank
 * counts. A rank sees the pipeline from its own first operation on. A record with a stage but no rank has the whole
 * pipeline.
 */
static void
take_step(struct sim_measured *m, const struct measured_step *s, bool *whole)
{
	bool staged = GIVEN(measured_step, s, stage), own = GIVEN(measured_step, s, rank);

	if (GIVEN(measured_step, s, name))
		return;

	if (!staged && !*whole)
		m->step = m->pipeline = m->transfer = NAN;
	if (!staged || !*whole) {
		more(&m->step, s->time);
		if (GIVEN(measured_step, s, pipeline) && !own)
			more(&m->pipeline, s->pipeline);
		if (GIVEN(measured_step, s, transfer))
			more(&m->transfer, s->transfer);
	}
	*whole |= !staged;
	if (staged && own && GIVEN(measured_step, s, pipeline))
		more(&m->own[s->stage], s->pipeline);
}

static int
replay_compare(const void *a, const void *b)
{
	const struct measured_replay *x = a, *y = b;

	return strcmp(x->name, y->name);
}

const struct measured_replay *
measured_find(const struct sim_measured *m, const char *name)
{
	struct measured_replay key = { .name = (char *)name };

	return m->replays == 0 ? NULL :
	    bsearch(&key, m->replay, (size_t)m->replays, sizeof *m->replay, replay_compare);
}

static void
add_mean(double *mean, int *n, double x)
{
	if (!isnan(x))
		*mean = (*n == 0 ? 0 : *mean * *n) / (*n + 1) + x / (*n + 1);
	*n += !isnan(x);
}

/* Take the steps of single pipelines. If no other steps exist, the run gets their mean. */
static void
take_replays(struct sim_measured *m, const struct records *all)
{
	int n[3] = { 0 };

	for (size_t i = 0; i < all->n; i++) {
		const struct measured_step *s = &all->at[i].step;

		if (all->at[i].kind != RECORD_STEP || !GIVEN(measured_step, s, name))
			continue;
		if ((m->replays & (m->replays - 1)) == 0)
			m->replay = xreallocarray(m->replay, m->replays > 0 ? 2 * (size_t)m->replays : 1,
			    sizeof *m->replay);
		m->replay[m->replays++] = (struct measured_replay){ xstrdup(s->name), s->time,
			GIVEN(measured_step, s, pipeline) ? s->pipeline : NAN,
			GIVEN(measured_step, s, transfer) ? s->transfer : NAN };
	}
	SORT(m->replay, m->replays, replay_compare);
	for (int i = 1; i < m->replays; i++)
		if (strcmp(m->replay[i].name, m->replay[i - 1].name) == 0)
			place_die((struct place){ m->path, 0 }, "two steps have the name '%s'", m->replay[i].name);
	if (!isnan(m->step))
		return;
	for (int i = 0; i < m->replays; i++) {
		add_mean(&m->step, &n[0], m->replay[i].step);
		add_mean(&m->pipeline, &n[1], m->replay[i].pipeline);
		add_mean(&m->transfer, &n[2], m->replay[i].transfer);
	}
}

/* Take the times of a stage's operations as a whole, not of single classes of layers. */
static void
take_timing(struct sim_measured *m, const struct timing *t)
{
	double *x, ms = t->total / (t->steps > 0 ? t->steps : 1);

	if (!GIVEN(timing, t, stage) || strcmp(t->name, "stage") != 0)
		return;
	x = t->phase == TIMING_FORWARD ? m->forward : m->backward;
	/* A backward may have parts: recomputation, input gradients, weight gradients. */
	x[t->stage] = t->phase == TIMING_FORWARD || isnan(x[t->stage]) ? ms : x[t->stage] + ms;
}

/*
 * Take the peaks of stages. Device peaks are preferred to memory in use, as in sapp-memsplit. Of several ranks and
 * rounds the highest peak counts.
 */
static void
take_peaks(struct sim_measured *m, const struct records *all, int which)
{
	m->which = which >= 0 ? (enum peak_which)which : PEAK_USED;
	for (size_t i = 0; i < all->n && which < 0; i++)
		if (all->at[i].kind == RECORD_PEAK && all->at[i].peak.which == PEAK_ACTUAL)
			m->which = PEAK_ACTUAL;
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].kind == RECORD_PEAK && all->at[i].peak.which == (int)m->which)
			more(&m->peak[all->at[i].peak.stage], all->at[i].peak.memory);
}

struct sim_measured
measured_read(const char *path, int which)
{
	struct sim_measured m = { .path = path, .step = NAN, .pipeline = NAN, .transfer = NAN };
	char *operands[] = { (char *)path, NULL };
	struct records all;
	bool whole = false, any = false;

	records_read(&all, operands, RECORDS(RECORD_STEP) | RECORDS(RECORD_TIMING) | RECORDS(RECORD_PEAK));
	for (size_t i = 0; i < all.n; i++) {
		if (stage_of(&all.at[i]) >= STAGES_MAX)
			place_die(all.at[i].place, "stage: must be below %d '%d'", STAGES_MAX,
			    stage_of(&all.at[i]));
		m.stages = stage_of(&all.at[i]) >= m.stages ? stage_of(&all.at[i]) + 1 : m.stages;
		any |= all.at[i].kind == RECORD_STEP || all.at[i].kind == RECORD_PEAK;
	}
	if (!any)
		place_die((struct place){ path, 0 }, "no step or peak records of a run; sapp-trace and sapp-memsplit "
		    "write them");
	m.own = unknown(m.stages);
	m.forward = unknown(m.stages);
	m.backward = unknown(m.stages);
	m.peak = unknown(m.stages);
	for (size_t i = 0; i < all.n; i++)
		if (all.at[i].kind == RECORD_STEP)
			take_step(&m, &all.at[i].step, &whole);
		else if (all.at[i].kind == RECORD_TIMING)
			take_timing(&m, &all.at[i].timing);
	/* The first stage begins first and ends last, so its rank sees the whole pipeline. */
	for (int i = 0; i < m.stages && !whole; i++)
		if (!isnan(m.own[i]))
			more(&m.pipeline, m.own[i]);
	take_replays(&m, &all);
	take_peaks(&m, &all, which);
	records_free(&all);
	return m;
}

void
measured_steps_free(struct sim_measured *m)
{
	for (int i = 0; i < m->replays; i++)
		free(m->replay[i].name);
	free(m->replay);
	free(m->own);
	free(m->forward);
	free(m->backward);
	free(m->peak);
	*m = (struct sim_measured){ 0 };
}
