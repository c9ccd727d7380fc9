#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "sapp-trace/layers/pass.h"

struct measured_run {			/* consecutive kernels of one layer and phase */
	size_t first;		/* index of its first kernel in the join */
	int instance, step;	/* instance -1: no run is open */
	enum timing_phase phase;
	int64_t start, end;
	int64_t sent, received;	/* of a transfer after the run's last kernel; 0: none */
	int kernels;
};

struct context {
	const struct join *join;
	const struct recording *profile;
	const struct classes *classes;
	const struct instances *instances;
	struct step_tally *tally;
};

static bool
communicates(const struct recording *p, const struct joined *x)
{
	return (p->types.type[x->type].roles & ROLE_COMMUNICATION) != 0;
}

/* Return the ns until END in which the device is idle during the run. Adds the run's collectives to the waits. */
static double
idle(const struct context *c, const struct measured_run *r, int64_t end)
{
	const struct join *j = c->join;
	int64_t covered = r->start;
	double nothing = 0;

	waits_begin(&c->tally->waits, r->start);
	for (size_t i = r->first; i < j->n && j->at[i].kernel->start < end; i++) {
		const struct host_kernel *k = j->at[i].kernel;

		if (!communicates(c->profile, &j->at[i]))
			waits_kernel(&c->tally->waits, k->start, k->end);
		else if (!(c->profile->types.type[j->at[i].type].roles & ROLE_TRANSFER))
			waits_call(&c->tally->waits, (struct wait){ .start = k->start, .end = k->end < end ? k->end :
			    end, .item = i, .owner = r->instance, .class = c->instances->at[r->instance].class,
			    .step = r->step, .phase = r->phase });
		if (k->start > covered)
			nothing += (double)(k->start - covered);
		if (k->end > covered)
			covered = k->end;
	}
	return covered < end ? nothing + (double)(end - covered) : nothing;
}

/*
 * End a run. Its time lasts until NEXT, or the end of the file, if NEXT is the next layer or soon follows. A transfer
 * always ends it.
 */
static void
close_run(const struct context *c, struct measured_run *r, const struct joined *next)
{
	int64_t until = r->end;

	if (r->instance < 0)
		return;
	if (next != NULL) {
		bool row = next->instance >= 0 && next->phase == r->phase && pass_follows(c->classes,
		    &c->instances->at[r->instance], &c->instances->at[next->instance], (int)r->phase);

		if (row || (next->kernel->start > r->end && next->instance < 0 &&
		    next->kernel->start - r->end <= (r->end - r->start) / 2))
			until = next->kernel->start;
	}
	if (r->sent > 0 && until > r->sent)
		until = r->sent;
	if (until < r->start)
		until = r->start;
	tally_add(c->tally, r->step, r->instance, r->phase, (struct tally_cell){
	    .time = (double)(until - r->start), .idle = idle(c, r, until),
	    .events = r->kernels });
	r->instance = -1;
}

bool
measure(const struct join *j, const struct recording *p, const struct classes *classes,
    const struct instances *instances, const struct steps *steps, struct step_tally *t, struct place at)
{
	struct context c = { j, p, classes, instances, t };
	struct measured_run run = { .instance = -1 };
	int64_t *busy_end = xcalloc((size_t)instances->n * PHASES_TIMED + 1, sizeof *busy_end);
	struct call_item *call = NULL;
	size_t calls = 0;
	bool any = false;

	for (size_t i = 0; i < j->n; i++) {
		const struct joined *x = &j->at[i];
		const struct host_kernel *k = x->kernel;
		int step = step_at(steps, x->ts);
		int64_t *end, from;

		/*
		 * Waiting of a collective is not work of a layer. A kernel whose launch is unknown does not end a
		 * layer.
		 */
		if (communicates(p, x))
			*APPEND(call, calls) = (struct call_item){ i, x->type, step, step,
			    (double)(k->end - k->start) };
		if ((p->types.type[x->type].roles & ROLE_TRANSFER) && x->instance < 0 && k->start >= run.end) {
			run.sent = run.sent > 0 ? run.sent : k->start;
			run.received = k->end > run.received ? k->end : run.received;
		}
		if (communicates(p, x) || (!x->linked && x->instance < 0))
			continue;
		/* A transfer in parallel to the layer's kernels does not divide the layer. */
		if (run.sent > 0 && k->start < run.received)
			run.sent = run.received = 0;
		if (run.instance != x->instance || run.phase != x->phase || run.step != step || run.sent > 0) {
			close_run(&c, &run, x);
			if (x->instance >= 0)
				run = (struct measured_run){ .first = i, .instance = x->instance, .step = step,
					.phase = x->phase, .start = k->start, .end = k->end };
		}
		if (x->instance < 0)
			continue;
		any = true;
		run.kernels++;
		if (k->end > run.end)
			run.end = k->end;
		end = &busy_end[x->instance * PHASES_TIMED + (int)x->phase];
		from = *end > k->start ? *end : k->start;
		if (k->end > from) {
			tally_add(t, step, x->instance, x->phase,
			    (struct tally_cell){ .busy = (double)(k->end - from) });
			*end = k->end;
		}
	}
	close_run(&c, &run, NULL);
	calls_tell(&t->waits, &p->types, call, calls, at.source);
	t->busy = true;
	free(call);
	free(busy_end);
	return any;
}

void
measure_sequence(struct sequence *s, const struct join *j, const struct recording *p, const struct steps *steps,
    struct place at)
{
	int last = -1;
	bool linked = false;

	s->keep = p->keep;
	for (size_t i = 0; i < j->n && !linked; i++)
		linked = j->at[i].linked;
	for (size_t i = 0; i < j->n; i++) {
		const struct joined *x = &j->at[i];
		const struct kernel_type *t = &p->types.type[x->type];
		/* The step of a kernel without a launch is found by the device's time. */
		int step = x->linked ? step_at(steps, x->ts) : linked ? last : steps->n == 1 ? 0 :
		    step_at(steps, x->kernel->start);
		struct item item = { x->kernel->start, x->kernel->end, 0, 0, 0,
			x->linked ? x->backward ? ITEM_BACKWARD : ITEM_FORWARD : 0 };

		last = step;
		if (step < 0)
			continue;
		item.flags |= sequence_stream(s, x->kernel->stream);
		item.type = sequence_type(s, (struct text){ t->name, t->length }, t->roles, at);
		item.symbol = p->keep ?
		    keys_take(&s->shapes, xasprintf("%s|%s", t->name, recording_input(p, x->external))) :
		    sequence_symbol(item.type, (struct text){ 0 });
		item.step = sequence_step(s, linked || steps->nmarks > 0 ? step : -1);
		sequence_add(s, item);
	}
	sequence_sort(s, at);
	s->length = xcalloc((size_t)s->steps + 1, sizeof *s->length);
	for (int i = 0; i < s->steps && (linked || steps->nmarks > 0); i++)
		s->length[i] = (double)steps_length(steps, (int)s->number[i]) / 1e6;
}

/* Extend the pipeline of step I to include a kernel. */
static void
extend(struct layout *l, const struct joined *x, int i)
{
	l->good[i] = true;
	l->begin[i] = x->kernel->start < l->begin[i] ? x->kernel->start : l->begin[i];
	l->end[i] = x->kernel->end > l->end[i] ? x->kernel->end : l->end[i];
}

/* Add a piece for each run of consecutive kernels of one layer and phase. OF: see measure_outside(). */
static void
add_pieces(struct layout *l, const struct join *j, const struct recording *p, const struct classes *classes,
    const struct instances *instances, const struct steps *steps, const int of[])
{
	struct piece *last = NULL;

	for (size_t i = 0; i < j->n; i++) {
		const struct joined *x = &j->at[i];
		int class = x->instance >= 0 ? instances->at[x->instance].class : -1, step = step_at(steps, x->ts);

		step = step >= 0 ? of[step] - 1 : -1;
		/* A transfer ends the piece. */
		if ((p->types.type[x->type].roles & ROLE_TRANSFER) && x->instance < 0)
			last = NULL;
		if (communicates(p, x) || (!x->linked && x->instance < 0))
			continue;
		if (class < 0) {
			last = NULL;
			continue;
		}
		if (last == NULL || last->layer != x->instance || last->phase != x->phase || last->step != step) {
			last = APPEND(l->at, l->n);
			*last = (struct piece){ .part = classes->at[class].type, .class = class,
				.phase = x->phase, .layer = x->instance, .step = step, .start = x->kernel->start };
		}
		last->wall = fmax(last->wall, (double)(x->kernel->end - last->start));
		last->kernels++;
	}
}

void
measure_outside(struct answers *a, const struct join *j, const struct recording *p, const struct classes *classes,
    const struct instances *instances, const struct steps *steps, const struct step_tally *tally, struct trace_job job,
    struct place at)
{
	struct sequence s = { 0 };
	struct layout l = { 0 };
	bool *counted;
	int *of = xcalloc((size_t)steps->n + 1, sizeof *of);	/* 1 + index of a step in the sequence; 0: absent */

	measure_sequence(&s, j, p, steps, at);
	l.good = xcalloc((size_t)s.steps + 1, sizeof *l.good);
	l.begin = xcalloc((size_t)s.steps + 1, sizeof *l.begin);
	l.end = xcalloc((size_t)s.steps + 1, sizeof *l.end);
	counted = xcalloc((size_t)s.steps + 1, sizeof *counted);
	for (int i = 0; i < s.steps; i++) {
		l.begin[i] = INT64_MAX;
		l.end[i] = INT64_MIN;
		of[s.number[i]] = i + 1;
		counted[i] = s.number[i] < tally->steps && tally->counted[s.number[i]];
	}
	for (size_t i = 0; i < j->n; i++) {
		const struct joined *x = &j->at[i];
		int step = step_at(steps, x->ts);

		if (step >= 0 && of[step] > 0 && ((x->instance >= 0 && !communicates(p, x)) ||
		    (p->types.type[x->type].roles & ROLE_TRANSFER)))
			extend(&l, x, of[step] - 1);
	}
	for (int i = 0; i < s.steps; i++)
		counted[i] &= l.good[i];
	add_pieces(&l, j, p, classes, instances, steps, of);
	outside_add(&a->outside, &(struct rank_run){ &s, &l, counted, job, at.source, false });
	if (p->keep) {
		l.micro = a->micro > 0 ? a->micro : j->micro;
		observe(&a->observed, &(struct rank_run){ &s, &l, counted, job, at.source, false });
	}
	layout_free(&l);
	free(counted);
	free(of);
	sequence_free(&s);
}
