/* Timeline: one file from its first byte to the times of its layers. */
#include "timeline.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/option.h"
#include "sapp-trace/time/check.h"

/* MatMul-op, the operation that tells the steps where no event does. */
static void
mark_step(struct process *p, const struct event *e, const struct scan *s)
{
	static const char operation[] = "MatMul-op";
	int64_t start;

	if (p->marker == NULL) {
		if (memmem(e->name.at, e->name.n, operation, sizeof operation - 1) == NULL)
			return;
		p->marker = xstrndup(e->name.at, e->name.n);
		p->marker_length = e->name.n;
	} else if (e->name.n != p->marker_length || memcmp(e->name.at, p->marker, e->name.n) != 0)
		return;
	if (!text_time(e->ts, &start))
		scan_die(s, "event %llu: ts is not a time", (unsigned long long)s->events);
	process_mark(p, start);
}

static void
take_event(struct timeline *t, const struct event *e)
{
	struct text path = e->args_fullname;
	int process;

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
	if (e->ph != 'X' || e->name.at == NULL)
		return;
	process = process_of(&t->processes, e->pid, &t->scan);
	t->processes.at[process].events++;
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

static bool
resolve(struct timeline *t, struct step_range asked)
{
	struct place at = t->scan.place;
	bool any;

	steps_resolve(&t->steps, &t->processes);
	t->steps.endless |= asked.all;
	tally_init(&t->tally, t->instances.n, t->steps.n, at);
	kernels_close(&t->kernels, t->question->classes, &t->instances, &t->processes);
	any = scopes_tally(&t->scopes, t->question->classes, &t->instances, &t->processes,
	    kernels_passes(&t->kernels, &t->processes), &t->steps, &t->tally);
	if (any)
		kernels_tally_busy(&t->kernels, &t->instances, &t->processes, &t->steps, &t->tally);
	else
		any = kernels_tally(&t->kernels, &t->steps, &t->tally);
	if (any)
		tally_choose(&t->tally, &t->steps, asked, t->scan.cut, at);
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
		place_warn(at, "no event tells the steps (Iteration k, ProfilerStep#k or a repeated "
		    "MatMul-op): all of it is taken as one step");
	if (option_verbose)
		warnx("%s: %llu events, %d steps by %s, %d of them counted", at.source,
		    (unsigned long long)t->scan.events, t->steps.n, t->steps.how ? t->steps.how : "default",
		    t->tally.ncounted);
}

bool
timeline_read(struct timeline *t, struct answers *a, bool alone, char **why)
{
	struct place at = t->scan.place;
	struct event e;
	size_t before = a->operations.n;
	bool any;

	(void)alone;
	t->operations = &a->operations;
	while (event_next(&t->scan, &e))
		take_event(t, &e);
	/* A timeline of a pipeline's operations has no layers. */
	if (a->operations.n > before && a->operations.any) {
		operations_source(&a->operations, at.source);
		if (t->scan.cut)
			place_warn(at, "ends before it is complete");
		return true;
	}
	any = resolve(t, t->question->steps);
	if (any) {
		report(t);
		any = timings_merge(&a->timings, &t->tally, &t->instances, at, at.source);
		steps_check(&t->tally, &t->instances, t->question->classes, at);
		if (!any)
			*why = xasprintf("no layer in the %d counted of %d steps", t->tally.ncounted,
			    t->steps.n);
	} else if (t->instances.n > 0)
		*why = xasprintf("'%s' is there, but neither on a process 'Scope Layer' under a scope "
		    "'Default' nor as a kernel of 'Ascend Hardware'", t->instances.at[0].component);
	else
		*why = hint_text(&t->hints, t->question->classes, &t->processes, t->scan.events);
	if (any && a->found == NULL)
		a->found = hint_layers(&t->hints);
	return any;
}

void
timeline_free(struct timeline *t)
{
	scopes_free(&t->scopes);
	kernels_free(&t->kernels);
	steps_free(&t->steps);
	tally_free(&t->tally);
	instances_free(&t->instances);
	processes_free(&t->processes);
	hints_free(&t->hints);
	scan_close(&t->scan);
}
