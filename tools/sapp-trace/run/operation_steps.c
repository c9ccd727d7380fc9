#include "operation_steps.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"

enum { TIMES_MAX = 1 << 28 };

static struct place
place(const struct operations *o)
{
	return (struct place){ .source = o->source };
}

ORDER_BY(by_order, struct trace_operation, it->step, it->start)

static int
by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Return the name of a pipeline: its process, and the rank in tensor parallelism. */
static char *
pipeline_name(const struct thread *t)
{
	return t->tensor > 0 ? xasprintf("%s, TP rank %d", t->pid, t->tensor) : xstrdup(t->pid);
}

static void
find_pipelines(struct operation_steps *s, struct operations *o)
{
	bool *used = xcalloc((size_t)o->threads, sizeof *used);

	for (size_t i = 0; i < o->n; i++)
		used[o->at[i].thread] = true;
	s->pipeline = xcalloc((size_t)o->threads, sizeof *s->pipeline);
	for (int i = 0; i < o->threads; i++) {
		char *name;
		int k = 0;

		if (!used[i])
			continue;
		if (o->thread[i].stage < 0)
			place_die(place(o), "operations of a pipeline on process %s, thread %s, whose stage is "
			    "unknown: the thread has no name 'PP rank N'", o->thread[i].pid, o->thread[i].tid);
		name = pipeline_name(&o->thread[i]);
		while (k < s->pipelines && strcmp(s->pipeline[k], name) != 0)
			k++;
		if (k < s->pipelines)
			free(name);
		else
			s->pipeline[s->pipelines++] = name;
	}
	SORT(s->pipeline, s->pipelines, by_name);
	for (int i = 0; i < o->threads; i++) {
		char *name = used[i] ? pipeline_name(&o->thread[i]) : NULL;

		for (int k = 0; k < s->pipelines && used[i]; k++)
			if (strcmp(s->pipeline[k], name) == 0)
				o->thread[i].pipeline = k;
		free(name);
	}
	free(used);
}

static void
find_shape(struct operation_steps *s, const struct operations *o)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct trace_operation *op = &o->at[i];
		int stage = o->thread[op->thread].stage;

		if (op->kind > OPERATION_BACKWARD)
			continue;
		s->stages = stage >= s->stages ? stage + 1 : s->stages;
		s->chunks = op->chunk >= s->chunks ? op->chunk + 1 : s->chunks;
		s->micro = op->micro >= s->micro ? op->micro + 1 : s->micro;
	}
	if (2.0 * s->pipelines * s->stages * s->chunks * s->micro > TIMES_MAX)
		place_die(place(o), "%d pipelines of %d stages with %d chunks and %d micro-batches are too many",
		    s->pipelines, s->stages, s->chunks, s->micro);
}

size_t
operation_slot(const struct operation_steps *s, int pipeline, int kind, int piece, int micro)
{
	size_t pieces = (size_t)s->stages * (size_t)s->chunks;

	return ((2 * (size_t)pipeline + (size_t)kind) * pieces + (size_t)piece) * (size_t)s->micro + (size_t)micro;
}

double *
operation_time(const struct operation_steps *s, const struct operation_step *step, int pipeline,
    enum operation_kind kind, int piece, int micro)
{
	return &step->time[operation_slot(s, pipeline, (int)kind, piece, micro)];
}

/* Set a step from its operations. Return a description of the first error, or NULL. */
static char *
fill_step(const struct operation_steps *s, struct operation_step *step)
{
	const struct operations *o = s->of;
	size_t times = 2 * (size_t)s->pipelines * (size_t)s->stages * (size_t)s->chunks * (size_t)s->micro, found = 0;

	step->time = xcalloc(times, sizeof *step->time);
	step->first = xcalloc((size_t)s->pipelines, sizeof *step->first);
	step->last = xcalloc((size_t)s->pipelines, sizeof *step->last);
	step->done = xcalloc((size_t)s->pipelines * (size_t)s->stages, sizeof *step->done);
	for (size_t i = 0; i < times; i++)
		step->time[i] = -1;
	for (int k = 0; k < s->pipelines; k++)
		step->first[k] = INT64_MAX;
	step->begin = INT64_MAX;
	step->end = INT64_MIN;
	for (size_t i = step->from; i < step->to; i++) {
		const struct trace_operation *op = &o->at[i];
		const struct thread *t = &o->thread[op->thread];
		double *time;

		step->begin = op->start < step->begin ? op->start : step->begin;
		step->end = op->end > step->end ? op->end : step->end;
		if (op->kind > OPERATION_BACKWARD)
			continue;
		time = operation_time(s, step, t->pipeline, (enum operation_kind)op->kind,
		    op->chunk * s->stages + t->stage, op->micro);
		if (*time >= 0)
			return xasprintf("micro-batch %d twice on stage %d of pipeline %s", op->micro, t->stage,
			    s->pipeline[t->pipeline]);
		*time = ms(op->end - op->start);
		found++;
		if (op->kind == OPERATION_FORWARD && op->start < step->first[t->pipeline])
			step->first[t->pipeline] = op->start;
		if (op->end > step->last[t->pipeline])
			step->last[t->pipeline] = op->end;
		if (op->end > step->done[t->pipeline * s->stages + t->stage])
			step->done[t->pipeline * s->stages + t->stage] = op->end;
	}
	if (found < times)
		return xasprintf("%zu of %zu operations", found, times);
	for (int k = 1; k < s->pipelines; k++)
		if (step->last[k] - step->first[k] > step->last[step->slowest] - step->first[step->slowest])
			step->slowest = k;
	return NULL;
}

static void
step_free(struct operation_step *step)
{
	free(step->time);
	free(step->first);
	free(step->last);
	free(step->done);
}

/*
 * Choose the steps in the range ASKED. Without a range, choose all steps except the first two, which are unsteady, if
 * at least four remain.
 */
static void
choose(struct operation_steps *s, struct step_range asked)
{
	int n = 0, steady = 0;

	for (int i = 0; i < s->n; i++)
		steady += s->at[i].number >= UNSTEADY_STEPS;
	for (int i = 0; i < s->n; i++) {
		bool keep = asked.given && !asked.all ? i >= asked.from && i <= asked.to
		    : asked.all || s->n < STEADY_MINIMUM || steady == 0 || s->at[i].number >= UNSTEADY_STEPS;

		if (keep)
			s->at[n++] = s->at[i];
		else
			step_free(&s->at[i]);
	}
	if (n == 0)
		place_die(place(s->of), "-steps: the timeline has %d complete steps, counted from 0", s->n);
	s->n = n;
}

struct operation_steps
operation_steps_new(struct operations *o, struct step_range asked)
{
	struct operation_steps s = { .of = o };
	char *wrong = NULL;
	int bad = 0;
	long which = 0;

	find_pipelines(&s, o);
	find_shape(&s, o);
	SORT(o->at, o->n, by_order);
	for (size_t from = 0, to; from < o->n; from = to) {
		struct operation_step step = { .number = o->at[from].step, .from = from };
		char *problem;

		for (to = from; to < o->n && o->at[to].step == step.number; to++)
			continue;
		step.to = to;
		problem = fill_step(&s, &step);
		if (problem != NULL) {
			if (bad++ == 0)
				which = step.number;
			step_free(&step);
			if (wrong == NULL)
				wrong = problem;
			else
				free(problem);
			continue;
		}
		*APPEND(s.at, s.n) = step;
	}
	if (s.n == 0)
		place_die(place(o), "no complete step of a pipeline of %d stages, %d chunks per stage and %d "
		    "micro-batches: step %ld has %s", s.stages, s.chunks, s.micro, which, wrong);
	if (bad > 0)
		place_warn(place(o), "%d of %d steps are incomplete and ignored: step %ld has %s", bad, bad + s.n,
		    which, wrong);
	free(wrong);
	choose(&s, asked);
	return s;
}

/* Return whether a stage's transfer with its neighbour on SIDE crosses BOUNDARY. */
static bool
crosses(const struct operation_steps *s, int stage, int side, int boundary)
{
	int from = side == SIDE_NEXT ? stage : stage > 0 ? stage - 1 : s->stages - 1;

	if (side == SIDE_UNKNOWN || (from == s->stages - 1 && s->chunks == 1))
		return false;
	return (s->stages == 2 ? 0 : from) == boundary;
}

double
operation_transfer(const struct operation_steps *s, const struct operation_step *step, int n, int pipeline, int stage,
    int boundary)
{
	const struct operations *o = s->of;
	int64_t *until = xcalloc((size_t)s->pipelines * (size_t)s->stages, sizeof *until);
	double sum = 0;
	int count = 0;

	/* Events of sending and receiving at the same time are one exchange. */
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < s->pipelines * s->stages; k++)
			until[k] = INT64_MIN;
		for (size_t k = step[i].from; k < step[i].to; k++) {
			const struct trace_operation *op = &o->at[k];
			const struct thread *t = &o->thread[op->thread];
			int64_t *end = &until[t->pipeline * s->stages + t->stage];

			if (op->kind != OPERATION_TRANSFER || (pipeline >= 0 && t->pipeline != pipeline) ||
			    (stage >= 0 && t->stage != stage) ||
			    (boundary >= 0 && !crosses(s, t->stage, op->part, boundary)))
				continue;
			if (op->end > *end) {
				count++;
				sum += ms(op->end - (op->start > *end ? op->start : *end));
				*end = op->end;
			}
		}
	}
	free(until);
	return count > 0 ? sum / count : -1;
}

void
operation_steps_free(struct operation_steps *s)
{
	for (int i = 0; i < s->n; i++)
		step_free(&s->at[i]);
	for (int i = 0; i < s->pipelines; i++)
		free(s->pipeline[i]);
	free(s->pipeline);
	free(s->at);
	*s = (struct operation_steps){ 0 };
}
