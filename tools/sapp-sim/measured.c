/* What is known of a real run. */
#include "measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

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

/* The stage that a record is of, or -1. */
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
 * A record without a stage is of the whole run; the slowest rank tells where there is none. What a rank saw of the
 * pipeline begins with its own operations; of a stage without a rank it is the whole pipeline.
 */
static void
take_step(struct measured *m, const struct measured_step *s, bool *whole)
{
	bool staged = GIVEN(measured_step, s, stage), own = GIVEN(measured_step, s, rank);

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

/* Of a stage's operations as a whole; times of single kinds of layers are not what is compared. */
static void
take_timing(struct measured *m, const struct timing *t)
{
	double *x, ms = t->total / (t->steps > 0 ? t->steps : 1);

	if (!GIVEN(timing, t, stage) || strcmp(t->name, "stage") != 0)
		return;
	x = t->phase == TIMING_FORWARD ? m->forward : m->backward;
	/* A backward may come in parts: recomputation, gradients of inputs and of weights. */
	x[t->stage] = t->phase == TIMING_FORWARD || isnan(x[t->stage]) ? ms : x[t->stage] + ms;
}

/* Of two kinds of peaks that of the devices, as in sapp-memsplit; of several ranks and rounds the highest. */
static void
take_peaks(struct measured *m, const struct records *all, int which)
{
	m->which = which >= 0 ? (enum peak_which)which : PEAK_USED;
	for (size_t i = 0; i < all->n && which < 0; i++)
		if (all->at[i].kind == RECORD_PEAK && all->at[i].peak.which == PEAK_ACTUAL)
			m->which = PEAK_ACTUAL;
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].kind == RECORD_PEAK && all->at[i].peak.which == (int)m->which)
			more(&m->peak[all->at[i].peak.stage], all->at[i].peak.memory);
}

struct measured
measured_read(const char *path, int which)
{
	struct measured m = { .path = path, .step = NAN, .pipeline = NAN, .transfer = NAN };
	char *operands[] = { (char *)path, NULL };
	struct records all;
	bool whole = false, any = false;

	records_read(&all, operands, RECORDS(RECORD_STEP) | RECORDS(RECORD_TIMING) | RECORDS(RECORD_PEAK));
	for (size_t i = 0; i < all.n; i++) {
		if (stage_of(&all.at[i]) >= STAGES_MAX)
			place_die(all.at[i].place, "stage: more than any pipeline has '%d'", stage_of(&all.at[i]));
		m.stages = stage_of(&all.at[i]) >= m.stages ? stage_of(&all.at[i]) + 1 : m.stages;
		any |= all.at[i].kind == RECORD_STEP || all.at[i].kind == RECORD_PEAK;
	}
	if (!any)
		place_die((struct place){ path, 0 }, "neither step nor peak records of a run; sapp-trace and "
		    "sapp-memsplit write them");
	m.own = unknown(m.stages);
	m.forward = unknown(m.stages);
	m.backward = unknown(m.stages);
	m.peak = unknown(m.stages);
	for (size_t i = 0; i < all.n; i++)
		if (all.at[i].kind == RECORD_STEP)
			take_step(&m, &all.at[i].step, &whole);
		else if (all.at[i].kind == RECORD_TIMING)
			take_timing(&m, &all.at[i].timing);
	/* The first stage begins first and ends last: what its rank saw is the pipeline, if nothing else tells. */
	for (int i = 0; i < m.stages && !whole; i++)
		if (!isnan(m.own[i]))
			more(&m.pipeline, m.own[i]);
	take_peaks(&m, &all, which);
	records_free(&all);
	return m;
}

void
measured_free(struct measured *m)
{
	free(m->own);
	free(m->forward);
	free(m->backward);
	free(m->peak);
	*m = (struct measured){ 0 };
}
