#include "scope.h"

#include <err.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "lib/base/status.h"
#include "cover.h"

enum { EVENTS_KEPT = 64 << 10, EDGES_KEPT = 1 << 20, MAX_DEPTH = 10000 };

bool
scope_phase(struct text root, enum timing_phase *phase)
{
	static const struct { const char *name; enum timing_phase phase; } roots[] = {
		{ "Default", TIMING_FORWARD }, { "Gradients", TIMING_BACKWARD },
		{ "recompute_Default", TIMING_RECOMPUTE },
	};

	if (root.n == 0 || root.at == NULL)
		return false;
	/* Some releases put the level before the name: 0-Default. */
	if (root.n > 2 && root.at[0] == '0' && root.at[1] == '-')
		root = (struct text){ root.at + 2, root.n - 2 };
	for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++)
		if (text_is(root, roots[i].name)) {
			*phase = roots[i].phase;
			return true;
		}
	return false;
}

/* Return the depth of an event's scope, from its member level, or otherwise from its thread; -1: not a number. */
static int
depth_of(const struct event *e)
{
	return (int)text_whole(e->level.n ? e->level : e->tid, MAX_DEPTH);
}

static void
add_event(struct scopes *all, struct scope_event e)
{
	if (all->n == EVENTS_KEPT) {
		if (all->spill == NULL && (all->spill = tmpfile()) == NULL)
			err(STATUS_ERROR, "no temporary file for the scopes");
		if (fwrite(all->at, sizeof *all->at, all->n, all->spill) != all->n)
			err(STATUS_ERROR, "temporary file for the scopes");
		all->spilled += all->n;
		all->n = 0;
	}
	*APPEND(all->at, all->n) = e;
}

void
scope_event(struct scopes *all, const struct classes *classes, struct instances *instances,
    struct processes *processes, const struct event *e, int process, const struct scan *s)
{
	enum timing_phase phase;
	struct scope_event x;
	int class;

	if (scope_phase(e->name, &phase)) {
		if (depth_of(e) != 0)
			return;
		event_times(e, &x.start, &x.end, s);
		processes->at[process].windows = true;
		*APPEND(all->window, all->nwindows) = (struct window){ x.start, x.end, process, phase };
		return;
	}
	class = class_match(classes, e->name);
	if (class < 0 || (x.depth = depth_of(e)) < 0)
		return;
	event_times(e, &x.start, &x.end, s);
	x.instance = instance_of(instances, e->name, class, process, s->place);
	add_event(all, x);
}

/* Get the next event; events in the temporary file come first. *I must be 0 for the first call. */
static bool
next_event(struct scopes *all, uint64_t *i, struct scope_event *e)
{
	if (*i == 0 && all->spill != NULL)
		rewind(all->spill);
	if (*i < all->spilled) {
		if (fread(e, sizeof *e, 1, all->spill) != 1)
			err(STATUS_ERROR, "temporary file for the scopes");
	} else if (*i - all->spilled < all->n)
		*e = all->at[*i - all->spilled];
	else
		return false;
	++*i;
	return true;
}

ORDER_BY(window_order, struct window, it->process, it->start)

/* Make windows disjoint: time in several windows belongs to the first. */
static void
windows_divide(struct scopes *all)
{
	size_t to = 0;

	SORT(all->window, all->nwindows, window_order);
	for (size_t i = 0; i < all->nwindows; i++) {
		struct window w = all->window[i];

		if (to > 0 && all->window[to - 1].process == w.process && w.start < all->window[to - 1].end)
			w.start = all->window[to - 1].end;
		if (w.start < w.end)
			all->window[to++] = w;
	}
	all->nwindows = to;
}

/* Return the index of the first window of PROCESS that ends after START. */
static size_t
window_at(const struct scopes *all, int process, int64_t start)
{
	return COUNT_BEFORE(all->window, all->nwindows, it->process < process ||
	    (it->process == process && it->end <= start));
}

struct scope_edge {			/* start of a layer */
	int64_t start;
	int process, instance;
};

struct edges {			/* starts of layers in order of time */
	size_t n;
	struct scope_edge *at;
};

ORDER_BY(edge_order, struct scope_edge, it->process, it->start)

/* Return the first edge of PROCESS at or after FROM; NULL: none. */
static const struct scope_edge *
edges_after(const struct edges *e, int process, int64_t from)
{
	size_t i = COUNT_BEFORE(e->at, e->n, it->process < process || (it->process == process && it->start < from));

	return i < e->n && e->at[i].process == process ? &e->at[i] : NULL;
}

struct scope_context {
	const struct scopes *scopes;
	struct edges edges;
	const struct instances *instances;
	const struct passes *passes;
	const struct steps *steps;
	struct step_tally *tally;
	const struct covers *others;	/* scopes of the model's ends; NULL: the event itself is one */
	bool any;
};

/* Return the ns from TO to the next layer of the window; 0: the next layer is not a neighbour. */
static double
to_next(const struct scope_context *c, const struct scope_event *e, int process, enum timing_phase phase, int64_t to,
    int64_t window_end)
{
	const struct scope_edge *next = edges_after(&c->edges, process, to);

	/* Layers without a class may lie between layers that are not neighbours. */
	if (next == NULL || next->start >= window_end ||
	    !pass_neighbour(&c->instances->at[e->instance], &c->instances->at[next->instance], (int)phase))
		return 0;
	return (double)(next->start - to);
}

/* Add the layer's part of [from, to) in a window of PHASE that ends at WINDOW_END. */
static void
count_part(struct scope_context *c, const struct scope_event *e, int process, enum timing_phase phase, int64_t from,
    int64_t to, int64_t window_end)
{
	double ns;
	int n;

	if (!pass_share(c->passes, c->instances, c->instances->at[e->instance].component, (int)phase, from,
	    to, &ns, &n)) {
		ns = (double)(to - from);
		n = 1;
		/* If a stage has one layer, the layer's scope continues through the head of the next micro-batch. */
		if (c->others != NULL)
			ns -= (double)covers_take(c->others, &(struct cover){ from, to, process, e->depth });
		ns += to_next(c, e, process, phase, to, window_end);
	}
	c->any = true;
	tally_add(c->tally, step_at(c->steps, from + (to - from) / 2), e->instance, phase,
	    (struct tally_cell){ ns, 0, ns, n, n });
}

/*
 * Divide the time of a scope over its windows. A scope closes only when another scope begins at its depth. So it may be
 * longer than its window; then the rest does not belong to it. Or it may continue in another window, if the layer does.
 * Paths of backwards are deeper by one, so their scopes never continue as forward or recomputation.
 */
static void
divide(struct scope_context *c, const struct scope_event *e, int process)
{
	const struct window *first = NULL;

	for (size_t i = window_at(c->scopes, process, e->start); i < c->scopes->nwindows; i++) {
		const struct window *w = &c->scopes->window[i];

		if (w->process != process || w->start >= e->end)
			break;
		if (first == NULL)
			first = w;
		if ((first->phase == TIMING_BACKWARD) == (w->phase == TIMING_BACKWARD))
			count_part(c, e, process, w->phase, w->start > e->start ? w->start : e->start,
			    w->end < e->end ? w->end : e->end, w->end);
	}
}

/*
 * Return the covers of BODY layers. If these are given as BODIES, return the covers of the model's ends outside of
 * them, because a norm within a layer is not the final norm.
 */
static struct covers
cover(struct scopes *all, const struct classes *classes, const struct instances *instances,
    const struct processes *processes, const struct covers *bodies)
{
	struct covers found = { 0 };
	struct scope_event e;

	for (uint64_t i = 0; next_event(all, &i, &e);) {
		const struct instance *x = &instances->at[e.instance];
		bool body = classes->at[x->class].type == LAYER_BODY;
		struct cover c = { e.start, e.end, x->process, e.depth };

		if (process_is_scope_track(&processes->at[x->process]) &&
		    (bodies == NULL ? body : !body && !covers_hold(bodies, &c)))
			covers_add(&found, c);
	}
	covers_join(&found, 0);
	return found;
}

bool
scopes_tally(struct scopes *all, const struct classes *classes, const struct instances *instances,
    const struct processes *processes, const struct passes *passes, struct steps *steps, struct step_tally *t)
{
	struct scope_context context = { .scopes = all, .instances = instances, .passes = passes,
	    .steps = steps, .tally = t };
	struct covers bodies = cover(all, classes, instances, processes, NULL);
	struct covers ends = cover(all, classes, instances, processes, &bodies);
	struct scope_event e;

	windows_divide(all);
	for (size_t i = 0; i < all->nwindows; i++)
		if (all->window[i].phase == TIMING_BACKWARD &&
		    process_is_scope_track(&processes->at[all->window[i].process]))
			steps_backward(steps, all->window[i].start, all->window[i].end);
	steps_refine(steps);
	for (uint64_t i = 0; passes == NULL && next_event(all, &i, &e);) {
		const struct instance *x = &instances->at[e.instance];

		if (process_is_scope_track(&processes->at[x->process]) && classes->at[x->class].type == LAYER_BODY &&
		    context.edges.n < EDGES_KEPT)
			*APPEND(context.edges.at, context.edges.n) =
			    (struct scope_edge){ e.start, x->process, e.instance };
	}
	SORT(context.edges.at, context.edges.n, edge_order);
	for (uint64_t i = 0; next_event(all, &i, &e);) {
		const struct instance *x = &instances->at[e.instance];
		bool body = classes->at[x->class].type == LAYER_BODY;

		if (!process_is_scope_track(&processes->at[x->process]))
			continue;
		if (!body && covers_hold(&bodies, &(struct cover){ e.start, e.end, x->process, e.depth }))
			continue;
		context.others = body ? &ends : NULL;
		divide(&context, &e, x->process);
	}
	free(bodies.at);
	free(ends.at);
	free(context.edges.at);
	return context.any;
}

void
scopes_free(struct scopes *all)
{
	if (all->spill != NULL)
		fclose(all->spill);
	free(all->at);
	free(all->window);
	*all = (struct scopes){ 0 };
}
