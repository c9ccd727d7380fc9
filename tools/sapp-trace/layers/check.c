#include "check.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

static const double ns_per_ms = 1e6;
static const double differ = 1.10;	/* ratio of times of layers of one class that causes a warning */
static const double steps_differ = 1.20;	/* ratio of times between steps that causes a warning */
static const double full = 0.9;	/* fraction of the wall time; a device that works less waits for its host */
static const double half = 0.5, nearly_all = 0.9;	/* fractions of the time in collectives that cause a message */
static const double short_time = 1000;	/* ns; shorter times are clock noise */

static const char *const phase_names[PHASES_TIMED] = { "forward", "backward", "recomputation", "weight gradients" };

/*
 * Warn if layers of a class differ. Kernel times are compared if they are known, because waiting for the host does not
 * depend on the kind of layer.
 */
static void
warn_if_different(const struct timings *t, int class)
{
	const char *what = t->of[class].no_busy ? "takes" : "works";
	double least = INFINITY, most = 0;
	int fast = 0, slow = 0;

	for (int i = 0; i < t->layers.n; i++) {
		double x = timings_layer(t, i, TIMING_FORWARD, true);

		if (t->layers.at[i].class != class || x == 0)
			continue;
		if (x < least) {
			least = x;
			fast = i;
		}
		if (x > most) {
			most = x;
			slow = i;
		}
	}
	if (most > differ * least)
		place_warn((struct place){ 0 }, "layers of %s differ: the forwards of one step take, %s %s %.6g ms, %s "
		    "%.6g ms; if the layers are of several kinds, give each kind its own -body",
		    t->classes->at[class].said, what, t->layers.at[fast].component, least / ns_per_ms,
		    t->layers.at[slow].component, most / ns_per_ms);
}

/* Warn if the ranks of a stage differ; the slowest rank counts. */
static void
warn_if_ranks_differ(const struct timings *t, int class, enum timing_phase p)
{
	struct { double own, counted; const struct timed_layer *instead; } *of = xcalloc((size_t)t->files + 1,
	    sizeof *of);
	int worst = -1;

	for (size_t i = 0; i < t->nmeasured; i++) {
		const struct timed_layer *m = &t->measured[i], *slow = t->at[m->layer].wall[m->phase];

		if (t->layers.at[m->layer].class != class || m->phase != p || slow == m)
			continue;
		of[m->file].own += m->wall;
		of[m->file].counted += slow->wall;
		of[m->file].instead = slow;
		if (worst < 0 || of[m->file].counted * of[worst].own > of[worst].counted * of[m->file].own)
			worst = m->file;
	}
	if (worst >= 0 && of[worst].counted > differ * of[worst].own)
		place_warn((struct place){ .source = t->file[worst] }, "%s: the %s takes %.6g ms per step without "
		    "waiting, and %.6g ms on a slower rank, whose time is used (%s)", t->classes->at[class].said,
		    phase_names[p], of[worst].own / ns_per_ms, of[worst].counted / ns_per_ms,
		    t->file[of[worst].instead->file]);
	free(of);
}

static void
warn_if_half(const struct timings *t, int class)
{
	struct sum f = timings_sum(t, class, TIMING_FORWARD), b = timings_sum(t, class, TIMING_BACKWARD);

	if (f.n > 0 && b.n > 0 && f.n != b.n)
		place_warn((struct place){ 0 }, "%s: found forwards of %d layers, but backwards of %d",
		    t->classes->at[class].said, f.n, b.n);
}

/* Warn if the host delays layers, by the time without any activity. Waiting in collectives is not due to the host. */
static void
warn_if_waiting(const struct timings *t, int class)
{
	for (int p = 0; p < PHASES_TIMED; p++) {
		struct sum s = timings_sum(t, class, (enum timing_phase)p);
		double idle = s.n > 0 && s.step.time > short_time ? s.step.idle / s.step.time : 0;

		if (t->of[class].no_busy || 1 - idle >= full)
			continue;
		place_warn((struct place){ 0 }, "%s: the device waits for the host during %.0f %% of the %s (%.6g ms "
		    "per step, of which kernels run %.6g ms); -busy excludes this waiting, as with a faster host",
		    t->classes->at[class].said, 100 * idle, phase_names[p], s.step.time / ns_per_ms,
		    s.step.busy / ns_per_ms);
	}
}

/*
 * Exit if collectives are nearly all of the time over all ranks, because then no work was measured. A single rank
 * cannot tell work from waiting in collectives.
 */
static void
check_collectives(const struct timings *t)
{
	double all = 0, most = 0;
	struct place nowhere = { 0 };

	for (int class = 0; class < t->classes->n; class++)
		for (int p = 0; p < PHASES_TIMED; p++) {
			struct sum s = timings_sum(t, class, (enum timing_phase)p);
			double collective = s.step.time - s.step.busy - s.step.idle;

			if (t->of[class].no_busy || s.n == 0 || s.step.time + s.wait <= short_time)
				continue;
			all += s.step.time + s.wait;
			most += fmax(collective, 0) + s.wait;
			if (!t->busy && s.wait > half * (s.step.time + s.wait))
				place_warn(nowhere, "%s: %.0f %% of the %s are waiting for other ranks in collectives, "
				    "by comparison with faster collectives of the same size or with other ranks: of "
				    "%.6g ms per step %.6g ms remain", t->classes->at[class].said,
				    100 * s.wait / (s.step.time + s.wait), phase_names[p],
				    (s.step.time + s.wait) / ns_per_ms, s.step.time / ns_per_ms);
			if (!t->busy && collective > half * s.step.time)
				place_warn(nowhere, "%s: %.0f %% of the %s are collectives, which may wait for other "
				    "ranks (%.6g ms per step, of which other kernels run %.6g ms); profile all ranks "
				    "of the group, or exclude collectives with -busy", t->classes->at[class].said,
				    100 * collective / s.step.time, phase_names[p], s.step.time / ns_per_ms,
				    s.step.busy / ns_per_ms);
		}
	if (!t->busy && most > nearly_all * all)
		place_die(nowhere, "%.0f %% of the layers' time are collectives, nearly all waiting for other ranks, "
		    "so these are not times of layers; profile all ranks, or count only kernels with -busy",
		    100 * most / all);
}

void
timings_check_micro(const struct timings *t, int micro)
{
	struct { double passes; bool differ; int layers; } *of = xcalloc((size_t)t->files + 1, sizeof *of);

	for (size_t i = 0; i < t->nmeasured; i++) {
		const struct timed_layer *m = &t->measured[i];

		if (m->phase != TIMING_FORWARD || t->classes->at[t->layers.at[m->layer].class].type != LAYER_BODY)
			continue;
		of[m->file].layers++;
		for (int k = 0; k < m->n; k++) {
			double passes = t->sample[m->first + (size_t)k].cell.passes;

			of[m->file].differ |= of[m->file].passes > 0 && passes != of[m->file].passes;
			of[m->file].passes = passes;
		}
	}
	/* Consecutive micro-batches of a single layer may be one event. */
	for (int f = 0; f < t->files; f++)
		if (!of[f].differ && of[f].passes > 0 && of[f].passes != micro &&
		    (of[f].layers > 1 || of[f].passes > micro)) {
			place_warn((struct place){ .source = t->file[f] }, "each layer runs forward %g times per step, "
			    "but there should be %d micro-batches (-mb, micro_batch_num): the layers' times are wrong "
			    "by this factor", of[f].passes, micro);
			break;
		}
	free(of);
}

void
timings_check(const struct timings *t, const struct hints *found)
{
	static const char *const what[] = { "head", "body", "tail" };
	static const char *const where[] = { "the first stage", "a stage", "the last stage" };
	int seen[LAYER_TAIL + 1] = { 0 }, asked[LAYER_TAIL + 1] = { 0 };

	for (int i = 0; i < t->classes->n; i++) {
		enum layer_type type = t->classes->at[i].type;

		asked[type]++;
		seen[type] += timings_sum(t, i, TIMING_FORWARD).n > 0;
	}
	for (int type = LAYER_HEAD; type <= LAYER_TAIL; type++)
		if (seen[type] == 0 && asked[type] > 0) {
			char *names = class_names(t->classes, type);
			int first = class_first(t->classes, (enum layer_type)type);
			/* MindFormers' names say nothing about modules of PyTorch. */
			bool unnamed = type != LAYER_BODY && t->classes->at[first].usual && found->pytorch;
			char *there = hint_layers(found, unnamed ? "" : t->classes->at[first].name);

			if (unnamed)
				place_warn((struct place){ 0 }, "the time of the model's %s is not counted: give its "
				    "modules %s the layers with -%s%s", what[type], type == LAYER_HEAD ? "before" :
				    "after", what[type], there);
			else
				(type == LAYER_BODY ? place_die : place_warn)((struct place){ 0 },
				    "no %s layer (%s) in any timeline; check that %s was profiled, or give another "
				    "name with -%s%s", what[type], names, where[type], what[type], there);
			free(there);
			free(names);
		}
	for (int i = 0; i < t->classes->n; i++) {
		const struct class *c = &t->classes->at[i];

		if (timings_sum(t, i, TIMING_FORWARD).n == 0 && timings_sum(t, i, TIMING_BACKWARD).n == 0) {
			/* The model must have layers of every given kind. */
			if (c->type == LAYER_BODY)
				place_die((struct place){ .source = "-body" }, "no layer of this name in any "
				    "timeline '%s'%s", c->name, hint_layers(found, c->name));
			continue;
		}
		if (c->type == LAYER_BODY) {
			warn_if_different(t, i);
			warn_if_half(t, i);
			for (int p = 0; p < PHASES_TIMED; p++)
				warn_if_ranks_differ(t, i, (enum timing_phase)p);
		}
		warn_if_waiting(t, i);
	}
	check_collectives(t);
}

void
steps_check(const struct step_tally *t, const struct instances *instances, const struct classes *classes,
    struct place at)
{
	for (int c = 0; c < classes->n; c++) {
		double least = INFINITY, most = 0;
		int fast = 0, slow = 0;

		for (int step = 0; step < t->steps; step++) {
			double sum = 0;

			for (int i = 0; i < t->instances && t->counted[step]; i++)
				if (instances->at[i].class == c)
					sum += tally_at(t, i, TIMING_FORWARD, step)->time;
			if (sum <= 0)
				continue;
			if (sum < least) {
				least = sum;
				fast = step;
			}
			if (sum > most) {
				most = sum;
				slow = step;
			}
		}
		if (classes->at[c].type == LAYER_BODY && most > steps_differ * least)
			place_warn(at, "steps differ: all forwards of %s take %.6g ms in step %d and %.6g ms in step "
			    "%d; the median step is used; choose steps with -steps", classes->at[c].said,
			    least / ns_per_ms, fast, most / ns_per_ms, slow);
	}
}
