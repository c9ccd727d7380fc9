#include "timeline.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "sapp-trace/layers/check.h"
#include "sapp-trace/run/device.h"
#include "sapp-trace/run/measure.h"

/* Record a MatMul-op, which separates steps if no event does. */
static void
mark_step(struct process *p, const struct event *e, const struct scan *s)
{
	static const char operation[] = "MatMul-op";

	if (p->marker == NULL) {
		if (memmem(e->name.at, e->name.n, operation, sizeof operation - 1) == NULL)
			return;
		p->marker = xstrndup(e->name.at, e->name.n);
		p->marker_length = e->name.n;
	} else if (e->name.n != p->marker_length || memcmp(e->name.at, p->marker, e->name.n) != 0)
		return;
	*APPEND(p->mark, p->nmarks) = event_start(e, s);
}

static void
take_event(struct timeline *t, const struct event *e)
{
	struct text path = e->args_fullname;
	int process;

	/* The clock was set back during such an event. */
	if (e->ph == 'X' && e->dur.n > 0 && *e->dur.at == '-' && event_backwards(e) > 0) {
		t->backwards++;
		if (event_backwards(e) > t->most_backwards)
			t->most_backwards = event_backwards(e);
		return;
	}
	if (operations_event(t->operations, e, &t->scan))
		return;
	if (e->ph == 'M') {
		if (text_is(e->name, "process_name") && e->args_name.at != NULL) {
			process = process_of(&t->processes, e->pid, &t->scan);
			free(t->processes.at[process].name);
			t->processes.at[process].name = xstrndup(e->args_name.at, e->args_name.n);
		}
		return;
	}
	if (e->ph == 's' || e->ph == 'f') {
		recording_event(&t->recording, e, 0, &t->scan);
		return;
	}
	if (e->ph != 'X' || e->name.at == NULL)
		return;
	process = process_of(&t->processes, e->pid, &t->scan);
	if (recording_event(&t->recording, e, process, &t->scan)) {
		if (!text_is(e->cat, "gpu_user_annotation"))
			step_event(&t->steps, e, process, &t->scan);
		hint_span(&t->hints, e);
		return;
	}
	mark_step(&t->processes.at[process], e, &t->scan);
	if (path.at == NULL && memchr(e->name.at, '/', e->name.n) != NULL)
		path = e->name;
	if (path.at != NULL) {
		if (!kernel_event(&t->kernels, t->question->classes, &t->instances, path, e, process, &t->scan))
			hint_path(&t->hints, path);
		return;
	}
	if (step_event(&t->steps, e, process, &t->scan))
		return;
	scope_event(&t->scopes, t->question->classes, &t->instances, &t->processes, e, process, &t->scan);
	hint_name(&t->hints, e->name);
}

/* If no events span steps, end each step with its optimizer. */
static void
steps_of_optimizer(struct timeline *t)
{
	int64_t from = INT64_MIN;

	for (size_t i = 0; i < t->recording.optimizers.n && t->steps.nmarks == i; i++) {
		struct step_mark m = t->recording.optimizers.at[i];

		m.number = (long)i;
		m.start = from == INT64_MIN ? m.end - (INT64_C(1) << 60) : from;
		from = m.end;
		*APPEND(t->steps.mark, t->steps.nmarks) = m;
	}
}

/* Measure the layers that have spans on the host. */
static bool
named_by_host(struct timeline *t, struct join *join)
{
	struct place at = t->scan.place;

	join_make(join, &t->recording, &t->processes, &t->steps, t->question->micro, &t->instances, at);
	tally_init(&t->tally, t->instances.n, t->steps.n, at);
	return measure(join, &t->recording, t->question->classes, &t->instances, &t->steps, &t->tally, at);
}

static bool
named_by_path(struct timeline *t)
{
	bool any;

	tally_init(&t->tally, t->instances.n, t->steps.n, t->scan.place);
	kernels_close(&t->kernels, t->question->classes, &t->instances, &t->processes);
	any = scopes_tally(&t->scopes, t->question->classes, &t->instances, &t->processes,
	    kernels_passes(&t->kernels, &t->processes), &t->steps, &t->tally);
	if (any)
		kernels_tally_busy(&t->kernels, &t->instances, &t->processes, &t->steps, &t->tally);
	else
		any = kernels_tally(&t->kernels, &t->steps, &t->tally);
	return any;
}

static void
report(const struct timeline *t)
{
	struct place at = t->scan.place;

	if (t->scan.cut)
		place_warn(at, "ends before it is complete: %llu complete events and %d complete steps are "
		    "used", (unsigned long long)t->scan.events, t->tally.ncounted);
	if (t->steps.how == NULL)
		place_warn(at, "no event marks the steps (Iteration k, ProfilerStep#k or a repeated MatMul-op): the "
		    "whole timeline is used as one step");
	if (option_verbose)
		warnx("%s: %llu events, %d steps by %s, %d of them used", at.source,
		    (unsigned long long)t->scan.events, t->steps.n, t->steps.how ? t->steps.how : "default",
		    t->tally.ncounted);
}

/* Return the rank and stage of the file, from files next to it or from the members that PyTorch writes in it. */
static struct trace_job
job_of_timeline(const struct timeline *t)
{
	struct trace_job job = job_of(t->scan.place.source);

	if (t->scan.distributed != NULL)
		job_distributed(&job, t->scan.distributed);
	return job;
}

/* Add the time of steps outside of layers, for layers that spans of the host name. */
static void
add_step(struct timeline *t, const struct join *join, struct answers *a)
{
	struct trace_job job = job_of_timeline(t);

	if (join->n == 0)
		return;
	measure_outside(a, join, &t->recording, t->question->classes, &t->instances, &t->steps, &t->tally, job,
	    t->scan.place);
	a->stages = job.stages > a->stages ? job.stages : a->stages;
	if (join->micro > 0 && t->question->micro == 0)
		answers_micro(a, join->micro, true, t->scan.place.source);
	else if (join->micro > 0 && join->micro != t->question->micro)
		place_warn(t->scan.place, "each layer runs forward %d times per step, but there should be %d "
		    "micro-batches (-mb, micro_batch_num): the layers' times are wrong by this factor", join->micro,
		    t->question->micro);
}

static bool
merge(struct timeline *t, const struct join *join, struct answers *a, char **why)
{
	struct place at = t->scan.place;

	tally_choose(&t->tally, &t->steps, t->question->steps, t->scan.cut, at);
	report(t);
	hint_merge(&a->found, &t->hints);
	steps_check(&t->tally, &t->instances, t->question->classes, at);
	if (timings_merge(&a->timings, &t->tally, &t->instances, at, at.source)) {
		add_step(t, join, a);
		return true;
	}
	*why = xasprintf("no layer in the %d used of %d steps", t->tally.ncounted, t->steps.n);
	return false;
}

static bool
text_ends(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* If the file does not name layers, find and time them by repetition of kernels. */
static bool
repeated(struct timeline *t, const struct join *join, struct answers *a, char **why)
{
	struct sequence s = { 0 };
	const char *module;
	bool any = false;

	if (t->scan.cut)
		place_warn(t->scan.place, "ends before it is complete%s: %llu complete events are used",
		    text_ends(t->scan.place.source, ".gz") ? ", as the compressed file is cut" : "",
		    (unsigned long long)t->scan.events);
	if (join->n > 0 && !(t->question->named && t->hints.nlayers > 0)) {
		measure_sequence(&s, join, &t->recording, &t->steps, t->scan.place);
		if ((s.modules = hint_modules(&t->hints, &module)) > 0)
			s.module = xstrdup(module);
		any = device_measure(&s, job_of_timeline(t), t->question, a, t->scan.place.source, why);
		sequence_free(&s);
	}
	return any;
}

static char *
reason(struct timeline *t, char *repetition)
{
	char *what, *all;

	if (t->instances.n > 0)
		return xasprintf("'%s' was found, but not on a process 'Scope Layer' under a scope 'Default', not as a "
		    "kernel of 'Ascend Hardware', and not around the launch of a kernel",
		    t->instances.at[0].component);
	what = hint_text(&t->hints, t->question->classes, &t->processes, t->scan.events);
	if (repetition == NULL)
		return what;
	all = xasprintf("%s; %s", repetition, what);
	free(what);
	return all;
}

bool
timeline_read(struct timeline *t, struct answers *a, bool alone, char **why)
{
	struct join join = { 0 };
	struct event e;
	char *repetition = NULL;
	size_t before = a->operations.n;
	bool any;

	t->operations = &a->operations;
	t->recording.classes = t->question->classes;
	t->recording.keep = t->question->kernels;
	while (event_next(&t->scan, &e))
		if (pairs_take(&t->pairs, &e, &t->scan))
			take_event(t, &e);
	if (t->scan.lost > 0)
		place_warn(t->scan.place, "%llu event%s cannot be read and %s ignored, the first: %s",
		    (unsigned long long)t->scan.lost, t->scan.lost == 1 ? "" : "s", t->scan.lost == 1 ? "is" : "are",
		    t->scan.first_lost);
	if (t->pairs.n + t->pairs.alone > 0)
		place_warn(t->scan.place, "%zu events begin (B) without an end (E), %zu end without a begin: ignored",
		    t->pairs.n, t->pairs.alone);
	if (t->backwards > 0)
		place_warn(t->scan.place, "%ld event%s before %s begin%s, by at most %.3f ms: ignored", t->backwards,
		    t->backwards == 1 ? " ends" : "s end", t->backwards == 1 ? "it" : "they",
		    t->backwards == 1 ? "s" : "", (double)t->most_backwards * 1e-6);
	/* The timeline has operations of a pipeline, so it has no layers. */
	if (a->operations.n > before && a->operations.any) {
		operations_source(&a->operations, t->scan.place.source);
		if (t->scan.cut)
			place_warn(t->scan.place, "ends before it is complete");
		return true;
	}
	recording_sort(&t->recording);
	t->hints.pytorch = t->recording.pytorch;
	t->hints.npu = t->recording.npu;
	t->hints.named = t->question->named;
	steps_of_optimizer(t);
	steps_resolve(&t->steps, &t->processes);
	t->steps.endless |= t->question->steps.all;
	any = named_by_path(t);
	if (!any && t->recording.kernels.n > 0) {
		tally_free(&t->tally);
		any = named_by_host(t, &join);
	}
	if (any)
		any = merge(t, &join, a, why);
	else if (!(any = alone && repeated(t, &join, a, &repetition)))
		*why = reason(t, repetition);
	free(repetition);
	join_free(&join);
	return any;
}

void
timeline_free(struct timeline *t)
{
	pairs_free(&t->pairs);
	scopes_free(&t->scopes);
	kernels_free(&t->kernels);
	steps_free(&t->steps);
	tally_free(&t->tally);
	instances_free(&t->instances);
	processes_free(&t->processes);
	recording_free(&t->recording);
	hints_free(&t->hints);
	scan_close(&t->scan);
}
