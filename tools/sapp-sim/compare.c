#include "compare.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "block.h"

/* Simulated times of each stage, [stage], ms. */
struct stages {
	int n;
	double *forward, *backward, *begin, *end;
};

static void
add_block(const struct block *b, void *with)
{
	struct stages *s = with;

	*(b->phase == PHASE_F ? &s->forward[b->stage] : &s->backward[b->stage]) += b->end - b->start;
	s->begin[b->stage] = fmin(s->begin[b->stage], b->start);
	s->end[b->stage] = fmax(s->end[b->stage], b->end);
}

static struct stages
stages_of(const struct sim_run *r)
{
	size_t n = (size_t)r->shape.stages;
	struct stages s = { r->shape.stages, xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double)),
		xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double)) };

	for (size_t i = 0; i < n; i++)
		s.begin[i] = INFINITY;
	blocks_each(r, add_block, &s);
	return s;
}

static void
stages_free(struct stages *s)
{
	free(s->forward);
	free(s->backward);
	free(s->begin);
	free(s->end);
}

/* Add a figure with its prediction. STAGE: -1 for the whole run. */
static void
add(struct comparison *c, enum compared_figure figure, int stage, double measured, double predicted)
{
	struct compared *x;

	if (isnan(measured))
		return;
	x = array_add(&compared_fields, &c->figures);
	x->figure = figure;
	if (stage >= 0)
		GIVE(compared, x, stage, stage);
	x->measured = measured;
	x->predicted = predicted;
	if (measured != 0)
		GIVE(compared, x, error, predicted / measured - 1);
}

static const struct compared *
at(const struct comparison *c, size_t i)
{
	return (const struct compared *)c->figures.at + i;
}

/* Return the figure of a stage, or of the run (-1); NULL: it was not measured. */
static const struct compared *
find(const struct comparison *c, enum compared_figure figure, int stage)
{
	for (size_t i = 0; i < (size_t)c->figures.n; i++) {
		const struct compared *x = at(c, i);

		if (x->figure == (int)figure && (GIVEN(compared, x, stage) ? x->stage : -1) == stage)
			return x;
	}
	return NULL;
}

static double
off(const struct compared *x)
{
	return x != NULL ? x->predicted - x->measured : 0;
}

/*
 * Return the main cause of the error in the pipeline, INSIDE ms, as ": most of all stage 3's backwards, predicted 12.3
 * ms longer than measured".
 */
static char *
pipeline_cause(const struct comparison *c, double inside)
{
	static const char *const what[] = { [COMPARED_PIPELINE] = "part of the pipeline",
		[COMPARED_FORWARD] = "forwards", [COMPARED_BACKWARD] = "backwards" };
	const struct compared *worst = NULL, *transfer = find(c, COMPARED_TRANSFER, -1);

	for (size_t i = 0; i < (size_t)c->figures.n; i++) {
		const struct compared *x = at(c, i);

		if (GIVEN(compared, x, stage) && (x->figure == COMPARED_PIPELINE || x->figure == COMPARED_FORWARD ||
		    x->figure == COMPARED_BACKWARD) && (worst == NULL || fabs(off(x)) > fabs(off(worst))))
			worst = x;
	}
	/* Name only causes of at least a tenth of the error. */
	if (worst != NULL && fabs(off(worst)) >= 0.1 * fabs(inside))
		return xasprintf(", mostly from the %s of stage %d, predicted %.4g ms %s than measured",
		    what[worst->figure], worst->stage, fabs(off(worst)), off(worst) > 0 ? "longer" : "shorter");
	if (transfer != NULL && fabs(off(transfer)) > 0.1 * transfer->measured && off(transfer) * inside > 0)
		return xasprintf(": a transfer is predicted to take %.4g ms, measured %.4g", transfer->predicted,
		    transfer->measured);
	return xstrdup(worst == NULL ? "; the times of stages were not measured"
	    : "; the measured operations do not explain it, so it comes from other operations or from gaps");
}

/*
 * Return a text that says whether the step's error is inside or outside of the pipeline, and which stage has most of
 * it.
 */
static char *
step_cause(const struct comparison *c)
{
	const struct compared *step = find(c, COMPARED_STEP, -1), *pipeline = find(c, COMPARED_PIPELINE, -1);
	double inside, outside, whole = off(step);
	char *part, *words;

	if (step == NULL)
		return xstrdup("no step was measured");
	if (fabs(whole) < 0.001 * step->measured)
		return xasprintf("the step is predicted with an error of %.2g %%",
		    fmax(0.01, 100 * fabs(whole) / step->measured));
	if (pipeline == NULL)
		return xasprintf("the step is predicted %.4g ms %s; the part of the pipeline was not measured",
		    fabs(whole), whole > 0 ? "longer" : "shorter");
	inside = off(pipeline);
	outside = whole - inside;
	if (fabs(outside) > fabs(inside))
		return xasprintf("the step is predicted %.4g ms %s, most of it outside the pipeline: %+.2f ms, "
		    "and %+.2f in the pipeline", fabs(whole), whole > 0 ? "longer" : "shorter", outside, inside);
	part = pipeline_cause(c, inside);
	words = xasprintf("the step is predicted %.4g ms %s, most of it in the pipeline: %+.2f ms, and %+.2f outside%s",
	    fabs(whole), whole > 0 ? "longer" : "shorter", inside, outside, part);
	free(part);
	return words;
}

/* Return a text with the largest error and its figure. */
static char *
largest(const struct comparison *c)
{
	const struct compared *worst = NULL;
	char *stage, *words;

	for (size_t i = 0; i < (size_t)c->figures.n; i++)
		if (GIVEN(compared, at(c, i), error) && (worst == NULL || fabs(at(c, i)->error) > fabs(worst->error)))
			worst = at(c, i);
	if (worst == NULL)
		return xstrdup("");
	stage = GIVEN(compared, worst, stage) ? xasprintf(" of stage %d", worst->stage) : xstrdup("");
	words = xasprintf("; the largest error is %+.2f %%: %s%s", 100 * worst->error, compared_names[worst->figure],
	    stage);
	free(stage);
	return words;
}

/* Return a text with the predicted interval of the step and the measured step. Replayed steps are listed one by one. */
static char *
interval(struct comparison *c, const struct sim *sim, const struct sim_measured *m)
{
	struct compared *x = c->figures.at;
	int within = 0, n = 0;

	if (!GIVEN(sim, sim, step_p90) || c->figures.n == 0 || x->figure != COMPARED_STEP)
		return xstrdup("");
	GIVE(compared, x, low, sim->step_p10);
	GIVE(compared, x, high, sim->step_p90);
	for (int i = 0; i < m->replays; i++)
		if (!isnan(m->replay[i].step)) {
			n++;
			within += m->replay[i].step >= x->low && m->replay[i].step <= x->high;
		}
	if (n > 1)
		return xasprintf("; eight of ten steps are predicted within %.4g to %.4g ms, as are %d of %d measured "
		    "steps",
		    x->low, x->high, within, n);
	return xasprintf("; eight of ten steps are predicted within %.4g to %.4g ms, the measured step is %s", x->low,
	    x->high, x->measured < x->low ? "below" : x->measured > x->high ? "above" : "within");
}

void
compare_check(const struct sim_runs *runs, const struct sim_measured *m)
{
	for (int i = 0; i < runs->n; i++)
		if (m->stages > runs->at[i].shape.stages)
			place_die((struct place){ m->path, 0 }, "stage %d was measured, but '%s' has %d stages",
			    m->stages - 1, runs->at[i].name, runs->at[i].shape.stages);
}

struct comparison
compare_run(const struct sim_run *r, const struct sim *sim, const struct sim_measured *m)
{
	struct comparison c = { .name = xstrdup(sim->name) };
	const struct measured_replay *own = measured_find(m, sim->name);
	struct measured_replay whole = { NULL, m->step, m->pipeline, m->transfer };
	double inside = GIVEN(sim, sim, pipeline_time) ? sim->pipeline_time : sim->step_time;
	struct stages s;
	char *step, *most, *drawn;

	if (own == NULL)
		own = &whole;
	s = stages_of(r);
	add(&c, COMPARED_STEP, -1, own->step, sim->step_time);
	add(&c, COMPARED_PIPELINE, -1, own->pipeline, inside);
	if (!isnan(own->pipeline))
		add(&c, COMPARED_OUTSIDE, -1, own->step - own->pipeline, sim->step_time - inside);
	if (r->shape.stages > 1)
		add(&c, COMPARED_TRANSFER, -1, own->transfer, load_delay(&r->load, 0, 1));
	/* The figures of stages are a mean over steps, so they are not compared with a single step. */
	for (int i = 0; i < m->stages && own == &whole; i++) {
		add(&c, COMPARED_PIPELINE, i, m->own[i], s.end[i] - s.begin[i]);
		add(&c, COMPARED_FORWARD, i, m->forward[i], s.forward[i]);
		add(&c, COMPARED_BACKWARD, i, m->backward[i], s.backward[i]);
		/* If records have no memory, nothing is predicted. */
		if (list_get(sim->peak_memory, i) > 0)
			add(&c, COMPARED_PEAK, i, m->peak[i], list_get(sim->peak_memory, i));
	}
	step = step_cause(&c);
	most = largest(&c);
	drawn = interval(&c, sim, m);
	c.cause = xasprintf("%s%s%s", step, most, drawn);
	free(drawn);
	free(step);
	free(most);
	stages_free(&s);
	return c;
}

/* Draw a bar, to the left of the middle if the prediction is too low, to the right if it is too high. */
static void
error_bar(FILE *out, double error, double most)
{
	enum { HALF = 12 };
	int n = most > 0 ? (int)lround(HALF * fabs(error) / most) : 0;

	for (int i = -HALF; i <= HALF; i++)
		putc(i == 0 ? '|' : (error < 0 ? -i : i) > 0 && abs(i) <= n ? '#' : ' ', out);
}

void
compare_report(FILE *out, const struct comparison *c, const struct sim_measured *m)
{
	static const char *const unit[] = { "ms", "ms", "ms", "ms", "ms", "ms", "MB" };
	double most = 0;

	for (size_t i = 0; i < (size_t)c->figures.n; i++)
		if (GIVEN(compared, at(c, i), error))
			most = fmax(most, fabs(at(c, i)->error));
	fprintf(out, "-------------------  measured  -------------------\n");
	fprintf(out, "%-22s %12s %12s %9s  bars to %.3g %%\n", "", "measured", "predicted", "error", 100 * most);
	for (size_t i = 0; i < (size_t)c->figures.n; i++) {
		const struct compared *x = at(c, i);
		char *what = GIVEN(compared, x, stage) ? xasprintf("stage %d: %s%s, %s", x->stage,
		    compared_names[x->figure], x->figure == COMPARED_PEAK && m->which == PEAK_USED ? " used" : "",
		    unit[x->figure]) : xasprintf("%s, %s", compared_names[x->figure], unit[x->figure]);

		fprintf(out, "%-22s %12.2f %12.2f", what, x->measured, x->predicted);
		if (GIVEN(compared, x, error)) {
			fprintf(out, " %+8.2f%%  ", 100 * x->error);
			error_bar(out, x->error, most);
		}
		putc('\n', out);
		free(what);
	}
	fprintf(out, "%s\n", c->cause);
}
