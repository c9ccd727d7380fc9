#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "scope.h"

enum { RUNS_KEPT = 64 << 10 };
static const int64_t widest_gap = INT64_C(1000000000);	/* ns */

ORDER_BY(run_order, struct kernel_run, it->key, it->start)

static double
density(const struct kernel_run *r)
{
	return r->end > r->start ? r->busy / (double)(r->end - r->start) : 1;
}

/*
 * Sort runs, and join runs that overlap or are at most GAP ns apart. Common time counts once. A run joined over gaps
 * counts as evenly filled.
 */
static void
runs_join(struct kernels *k, int64_t gap)
{
	double cover;	/* fraction of time with kernels at the end of the last run */
	size_t to = 0;

	if (k->n == 0)
		return;
	SORT(k->at, k->n, run_order);
	cover = density(&k->at[0]);
	for (size_t i = 1; i < k->n; i++) {
		struct kernel_run *last = &k->at[to], *r = &k->at[i];
		double full = density(r);

		if (r->key != last->key || r->start > last->end + gap) {
			k->at[++to] = *r;
			cover = full;
			continue;
		}
		if (r->start > last->end) {
			last->busy += r->busy;
			last->end = r->end;
			cover = full;
		} else {
			int64_t shared = (r->end < last->end ? r->end : last->end) - r->start;

			last->busy += full * (double)shared * (1 - cover);
			if (r->end > last->end) {
				last->busy += full * (double)(r->end - last->end);
				last->end = r->end;
				cover = full;
			}
		}
		last->events += r->events;
	}
	k->n = to + 1;
}

static void
make_room(struct kernels *k)
{
	for (int64_t gap = 100; k->n >= RUNS_KEPT && k->n > k->room / 2 && gap <= widest_gap; gap *= 10) {
		runs_join(k, gap);
		memset(k->last, 0, k->nlast * sizeof *k->last);
	}
	if (k->n >= k->room / 2) {
		k->room = k->room ? 2 * k->room : 1024;
		k->at = xreallocarray(k->at, k->room, sizeof *k->at);
	}
}

static void
add(struct kernels *k, uint32_t key, int64_t start, int64_t end)
{
	struct kernel_run *last;

	if (key >= k->nlast) {
		size_t n = 2 * (size_t)key + 64;

		k->last = xreallocarray(k->last, n, sizeof *k->last);
		memset(k->last + k->nlast, 0, (n - k->nlast) * sizeof *k->last);
		k->nlast = n;
	}
	if (k->last[key] != 0) {
		last = &k->at[k->last[key] - 1];
		/* The last run has no gaps, so the time that it shares with another run needs no estimate. */
		if (start >= last->start && start <= last->end &&
		    last->busy == (double)(last->end - last->start)) {
			if (end > last->end)
				last->end = end;
			last->busy = (double)(last->end - last->start);
			last->events++;
			return;
		}
	}
	if (k->n == k->room)
		make_room(k);
	k->at[k->n++] = (struct kernel_run){ start, end, (double)(end - start), key, 1 };
	k->last[key] = k->n;
}

enum belonging { NO_PATH, NO_LAYER, LAYER };

/* Find the layer and phase of a path, and keep them with the path's prefix. */
static enum belonging
path_instance(struct kernels *k, const struct classes *classes, struct instances *instances, struct text path,
    int process, const struct scan *s)
{
	struct text component, root;
	const char *slash;
	int class;

	if (k->prefix_length > 0 && process == k->prefix_process && path.n > k->prefix_length &&
	    memcmp(path.at, k->prefix, k->prefix_length) == 0)
		return LAYER;
	slash = memchr(path.at, '/', path.n);
	if (slash == NULL)
		return NO_PATH;
	root = (struct text){ path.at, (size_t)(slash - path.at) };
	k->prefix_length = 0;
	if (!scope_phase(root, &k->prefix_phase))
		return NO_PATH;
	class = class_of_path(classes, path, &component);
	if (class < 0)
		return NO_LAYER;
	k->prefix_instance = instance_of(instances, component, class, process, s->place);
	k->prefix_process = process;
	k->prefix_length = (size_t)(component.at + component.n + 1 - path.at);
	if (k->prefix_length > k->prefix_room) {
		k->prefix_room = 2 * k->prefix_length;
		k->prefix = xreallocarray(k->prefix, k->prefix_room, 1);
	}
	memcpy(k->prefix, path.at, k->prefix_length);
	return LAYER;
}

static struct passes *
passes_of(struct kernels *k, int process)
{
	for (int i = 0; i < k->ndevices; i++)
		if (k->passes[i].process == process)
			return &k->passes[i];
	if (k->ndevices == MAX_DEVICES)
		return NULL;
	k->passes[k->ndevices] = (struct passes){ .process = process };
	return &k->passes[k->ndevices++];
}

const struct passes *
kernels_passes(struct kernels *k, const struct processes *processes)
{
	struct passes *found = NULL;

	for (int i = 0; i < k->ndevices; i++)
		if (process_is_device(&processes->at[k->passes[i].process])) {
			if (found != NULL || k->ndevices == MAX_DEVICES)
				return NULL;
			found = &k->passes[i];
		}
	if (found != NULL)
		passes_sort(found);
	return found;
}

bool
kernel_event(struct kernels *k, const struct classes *classes, struct instances *instances, struct text path,
    const struct event *e, int process, const struct scan *s)
{
	enum belonging b = path_instance(k, classes, instances, path, process, s);
	struct passes *passes;
	int64_t start, end;

	if (b == NO_PATH)
		return false;
	event_times(e, &start, &end, s);
	if ((passes = passes_of(k, process)) != NULL)
		pass_kernel(passes, b == LAYER ? k->prefix_instance : -1, k->prefix_phase, start, end);
	if (b == LAYER)
		add(k, (uint32_t)k->prefix_instance * PHASES_TIMED + k->prefix_phase, start, end);
	return b == LAYER;
}

/* Drop the runs of processes that are not devices. */
static void
keep_device(struct kernels *k, const struct instances *instances, const struct processes *processes)
{
	size_t to = 0;

	for (size_t i = 0; i < k->n; i++)
		if (process_is_device(&processes->at[instances->at[k->at[i].key / PHASES_TIMED].process]))
			k->at[to++] = k->at[i];
	k->n = to;
}

void
kernels_close(struct kernels *k, const struct classes *classes, const struct instances *instances,
    const struct processes *processes)
{
	keep_device(k, instances, processes);
	runs_join(k, 0);
	for (int i = 0; i < k->ndevices; i++)
		passes_close(&k->passes[i], classes, instances);
}

static int64_t
middle(int64_t start, int64_t end)
{
	return start + (end - start) / 2;
}

/* Return whether every run has passes. */
static bool
passes_complete(const struct kernels *k)
{
	for (int i = 0; i < k->ndevices; i++)
		if (k->passes[i].useless)
			return false;
	return k->ndevices < MAX_DEVICES;
}

bool
kernels_tally(struct kernels *k, struct steps *steps, struct step_tally *t)
{
	bool passes = passes_complete(k);

	for (size_t i = 0; i < k->n; i++)
		if (k->at[i].key % PHASES_TIMED == TIMING_BACKWARD)
			steps_backward(steps, k->at[i].start, k->at[i].end);
	steps_refine(steps);
	for (size_t i = 0; i < k->n; i++) {
		const struct kernel_run *r = &k->at[i];
		/* Without order of time, the time of waiting is unknown. */
		double wall = passes ? 0 : r->busy;

		tally_add(t, step_at(steps, middle(r->start, r->end)), (int)(r->key / PHASES_TIMED),
		    (enum timing_phase)(r->key % PHASES_TIMED),
		    (struct tally_cell){ wall, r->busy, wall - r->busy, r->events, 0 });
	}
	for (int d = 0; d < k->ndevices && passes && k->n > 0; d++)
		for (size_t i = 0; i < k->passes[d].n; i++) {
			const struct pass *x = &k->passes[d].at[i];
			double wall = (double)(x->next - x->start);

			tally_add(t, step_at(steps, middle(x->start, x->end)), (int)(x->key / PHASES_TIMED),
			    (enum timing_phase)(x->key % PHASES_TIMED), (struct tally_cell){ wall, 0, wall, 0, 1 });
		}
	t->busy = true;
	return k->n > 0;
}

void
kernels_tally_busy(const struct kernels *k, const struct instances *instances, const struct processes *processes,
    const struct steps *steps, struct step_tally *t)
{
	int track = -1;

	for (int p = 0; p < processes->n; p++)
		if (process_is_scope_track(&processes->at[p])) {
			if (track >= 0)
				return;
			track = p;
		}
	for (size_t i = 0; i < k->n && track >= 0; i++) {
		const struct kernel_run *r = &k->at[i];
		int instance = instance_find(instances, instances->at[r->key / PHASES_TIMED].component, track);

		if (instance < 0)
			continue;
		tally_add(t, step_at(steps, middle(r->start, r->end)), instance,
		    (enum timing_phase)(r->key % PHASES_TIMED), (struct tally_cell){ 0, r->busy, -r->busy, 0, 0 });
		t->busy = true;
	}
}

void
kernels_free(struct kernels *k)
{
	free(k->at);
	free(k->last);
	free(k->prefix);
	for (int i = 0; i < k->ndevices; i++)
		passes_free(&k->passes[i]);
	*k = (struct kernels){ 0 };
}
