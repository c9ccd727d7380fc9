/* Timing: what all timelines together say of each class. */
#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/record/record.h"

static const double ns_per_ms = 1e6;
static const double differ = 1.25;	/* layers of one class that are this far apart deserve a warning */
static const double noise = 0.005;	/* of forward: less is no recomputation */

void
timings_init(struct timings *t, const struct classes *classes)
{
	*t = (struct timings){ .classes = classes };
	t->of = xcalloc((size_t)classes->n, sizeof *t->of);
}

static void
spread_add(struct spread *s, double x)
{
	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : 16;
		s->at = xreallocarray(s->at, s->room, sizeof *s->at);
	}
	s->at[s->n++] = x;
}

static struct layer_time *
layer_of(struct timings *t, const struct instance *x, const struct scan *s)
{
	int before = t->layers.n;
	int i = instance_of(&t->layers, (struct text){ x->component, strlen(x->component) }, x->class, 0, s);

	if ((size_t)t->layers.n > t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->at = xreallocarray(t->at, t->room, sizeof *t->at);
	}
	if (t->layers.n > before)
		t->at[i] = (struct layer_time){ 0 };
	return &t->at[i];
}

bool
timings_merge(struct timings *t, const struct tally *tally, const struct instances *instances,
    const struct scan *s, const char *source)
{
	bool any = false;

	for (int i = 0; i < tally->instances; i++)
		for (int p = 0; p < PHASES_TIMED; p++) {
			const struct instance *x = &instances->at[i];
			struct class_time *of = &t->of[x->class];
			struct layer_time *l;
			double time = 0, events = 0;

			for (int step = 0; step < tally->steps; step++)
				if (tally->counted[step]) {
					time += tally_at(tally, i, (enum timing_phase)p, step)->time;
					events += tally_at(tally, i, (enum timing_phase)p, step)->events;
				}
			if (time == 0)
				continue;
			any = true;
			l = layer_of(t, x, s);
			l->time[p] += time;
			l->events[p] += events;
			l->steps[p] += tally->ncounted;
			for (int step = 0; step < tally->steps; step++)
				if (tally->counted[step])
					spread_add(&of->spread[p],
					    tally_at(tally, i, (enum timing_phase)p, step)->time);
			if (tally->ncounted > of->steps)
				of->steps = tally->ncounted;
			if (of->source != source)
				of->sources++;
			of->source = source;
		}
	return any;
}

/* ns, one layer in one step. */
static double
mean(const struct layer_time *l, enum timing_phase p)
{
	return l->steps[p] > 0 ? l->time[p] / l->steps[p] : 0;
}

struct sum {
	double time;	/* ns, of all layers, one step */
	double events;
	int n;		/* layers that have any */
};

static struct sum
class_sum(const struct timings *t, int class, enum timing_phase p)
{
	struct sum s = { 0 };

	for (int i = 0; i < t->layers.n; i++)
		if (t->layers.at[i].class == class && t->at[i].time[p] > 0) {
			s.time += mean(&t->at[i], p);
			s.events += t->at[i].events[p];
			s.n++;
		}
	return s;
}

static void
warn_if_different(const struct timings *t, int class)
{
	int fast = -1, slow = -1;

	for (int i = 0; i < t->layers.n; i++) {
		double x = mean(&t->at[i], TIMING_FORWARD);

		if (t->layers.at[i].class != class || x == 0)
			continue;
		if (fast < 0 || x < mean(&t->at[fast], TIMING_FORWARD))
			fast = i;
		if (slow < 0 || x > mean(&t->at[slow], TIMING_FORWARD))
			slow = i;
	}
	if (fast < 0 || mean(&t->at[slow], TIMING_FORWARD) <= differ * mean(&t->at[fast], TIMING_FORWARD))
		return;
	place_warn((struct place){ 0 }, "layers of %s differ: forward of one step takes %s %.6g ms, %s %.6g "
	    "ms; if they are not the same kind of layer, give each kind its own -body",
	    t->classes->at[class].name, t->layers.at[fast].component,
	    mean(&t->at[fast], TIMING_FORWARD) / ns_per_ms, t->layers.at[slow].component,
	    mean(&t->at[slow], TIMING_FORWARD) / ns_per_ms);
}

void
timings_check(const struct timings *t)
{
	static const char *const what[] = { "head", "body", "tail" };
	static const char *const where[] = { "the first stage", "a stage", "the last stage" };
	int found[LAYER_TAIL + 1] = { 0 }, asked[LAYER_TAIL + 1] = { 0 };

	for (int i = 0; i < t->classes->n; i++) {
		enum layer_type type = t->classes->at[i].type;

		asked[type]++;
		if (class_sum(t, i, TIMING_FORWARD).n == 0)
			continue;
		found[type]++;
		if (type == LAYER_BODY)
			warn_if_different(t, i);
	}
	for (int type = LAYER_HEAD; type <= LAYER_TAIL; type++)
		if (found[type] == 0 && asked[type] > 0) {
			char *names = class_names(t->classes, type);

			(type == LAYER_BODY ? place_die : place_warn)((struct place){ 0 },
			    "no %s layer (%s) in any timeline; is the one of %s there? Other names are given "
			    "with -%s", what[type], names, where[type], what[type]);
			free(names);
		}
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void
timings_write(FILE *out, const struct timings *t)
{
	for (int i = 0; i < t->classes->n; i++) {
		struct class_time *of = &t->of[i];

		for (int p = 0; p < PHASES_TIMED; p++) {
			struct sum s = class_sum(t, i, (enum timing_phase)p);
			struct spread *v = &of->spread[p];
			struct timing r = { .name = (char *)t->classes->at[i].name, .phase = p,
			    .total = s.time * of->steps / ns_per_ms, .instances = s.n,
			    .events = (int)s.events, .steps = of->steps };

			if (s.n == 0)
				continue;
			qsort(v->at, v->n, sizeof *v->at, by_value);
			GIVE(timing, &r, min, v->at[0] / ns_per_ms);
			GIVE(timing, &r, median, (v->at[(v->n - 1) / 2] + v->at[v->n / 2]) / 2 / ns_per_ms);
			GIVE(timing, &r, max, v->at[v->n - 1] / ns_per_ms);
			if (of->sources == 1)
				GIVE(timing, &r, source, (char *)of->source);
			record_put(out, RECORD_TIMING, &r);
		}
	}
}

/*
 * Which recomputation a layer ran under is told by the share of its forward that ran again; the kinds
 * are expected at twice their default coefficients, which are relative to a backward of two forwards.
 */
static enum recompute
kind_of(double share)
{
	enum recompute best = RECOMPUTE_NONE;
	double nearest = 0;

	if (share < noise)
		return RECOMPUTE_NONE;
	for (int k = RECOMPUTE_SELECT; k < RECOMPUTE_KINDS; k++) {
		double off = fabs(share - 2 * recompute_default_coef[k]);

		if (best == RECOMPUTE_NONE || off < nearest) {
			best = (enum recompute)k;
			nearest = off;
		}
	}
	return best;
}

static void
put_layer(FILE *out, const struct timings *t, int class, int micro, int layers)
{
	const struct class *c = &t->classes->at[class];
	struct sum forward = class_sum(t, class, TIMING_FORWARD),
	    backward = class_sum(t, class, TIMING_BACKWARD);
	struct sum again[RECOMPUTE_KINDS] = { 0 };
	double per = ns_per_ms * micro, plain;
	struct layer l = { .name = (char *)c->name, .type = (int)c->type,
	    .nb_layer = layers ? layers : forward.n };

	if (forward.n == 0)
		return;
	GIVE(layer, &l, time, forward.time / forward.n / per);
	for (int i = 0; i < t->layers.n; i++) {
		double again_time = mean(&t->at[i], TIMING_RECOMPUTE), once = mean(&t->at[i], TIMING_FORWARD);
		enum recompute k = once > 0 ? kind_of(again_time / once) : RECOMPUTE_NONE;

		if (t->layers.at[i].class != class || again_time == 0)
			continue;
		again[k].time += again_time;
		again[k].n++;
	}
	if (backward.n > 0) {
		plain = backward.time / backward.n / per;
		/* The ends are not planned with: their backward is what it was. */
		if (c->type != LAYER_BODY)
			for (int k = 0; k < RECOMPUTE_KINDS; k++)
				plain += again[k].time / backward.n / per;
		GIVE(layer, &l, backward[RECOMPUTE_NONE], plain);
		for (int k = RECOMPUTE_SELECT; k < RECOMPUTE_KINDS && c->type == LAYER_BODY; k++)
			if (again[k].n > 0)
				GIVE(layer, &l, backward[k], plain + again[k].time / again[k].n / per);
	}
	record_put(out, RECORD_LAYER, &l);
}

void
timings_write_layers(FILE *out, const struct timings *t, int micro, int bodies, const int layers[])
{
	int classes = 0, seen = 0, body = 0;

	for (int i = 0; i < t->classes->n; i++) {
		classes += t->classes->at[i].type == LAYER_BODY;
		seen += t->classes->at[i].type == LAYER_BODY && class_sum(t, i, TIMING_FORWARD).n > 0;
	}
	for (int type = LAYER_HEAD; type <= LAYER_TAIL; type++)
		for (int i = 0; i < t->classes->n; i++) {
			int known = 0;

			if ((int)t->classes->at[i].type != type)
				continue;
			if (type == LAYER_BODY && bodies == classes)
				known = layers[body++];
			else if (type == LAYER_BODY && bodies == 1 && seen == 1)
				known = layers[0];
			put_layer(out, t, i, micro, known);
		}
}

void
timings_free(struct timings *t)
{
	for (int i = 0; i < t->classes->n; i++)
		for (int p = 0; p < PHASES_TIMED; p++)
			free(t->of[i].spread[p].at);
	free(t->of);
	free(t->at);
	instances_free(&t->layers);
	*t = (struct timings){ 0 };
}
