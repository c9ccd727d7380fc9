#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/record/record.h"

static const double ns_per_ms = 1e6;
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
	*APPEND(s->at, s->n) = x;
}

static struct layer_time *
layer_of(struct timings *t, const struct instance *x, struct place at)
{
	int before = t->layers.n;
	int i = instance_of(&t->layers, (struct text){ x->component, strlen(x->component) }, x->class, 0, at);

	if (t->layers.n > before)
		*APPEND(t->at, before) = (struct layer_time){ 0 };
	return &t->at[i];
}

static double
median(double *x, int n)
{
	double middle = numbers_median(x, (size_t)n);

	/* Of two steps the first is slow, if one is. */
	return n == 2 ? x[0] : middle;
}

/* One layer in one phase: its steps into the sums, and the one in the middle. WALL, BUSY: room for all steps. */
static void
merge(struct timings *t, const struct tally *tally, int instance, const struct instance *x, enum timing_phase p,
    struct place at, double *wall, double *busy)
{
	struct class_time *of = &t->of[x->class];
	struct layer_time *l = layer_of(t, x, at);
	int n = 0;

	for (int step = 0; step < tally->steps; step++) {
		const struct tally_cell *c = tally_at(tally, instance, p, step);

		if (!tally->counted[step])
			continue;
		l->sum[p].time += c->time;
		l->sum[p].busy += c->busy;
		l->sum[p].idle += c->idle;
		l->sum[p].events += c->events;
		wall[n] = c->time;
		busy[n++] = c->busy;
		spread_add(&of->spread[p], c->time);
	}
	l->steps[p] += n;
	l->wall[p] += median(wall, n);
	l->busy[p] += median(busy, n);
	l->files[p]++;
}

bool
timings_merge(struct timings *t, const struct tally *tally, const struct instances *instances, struct place at,
    const char *source)
{
	double *wall = xcalloc((size_t)tally->steps + 1, sizeof *wall);
	double *busy = xcalloc((size_t)tally->steps + 1, sizeof *busy);
	bool any = false;

	for (int i = 0; i < tally->instances; i++)
		for (int p = 0; p < PHASES_TIMED; p++) {
			const struct instance *x = &instances->at[i];
			struct class_time *of = &t->of[x->class];
			double time = 0;

			for (int step = 0; step < tally->steps; step++)
				if (tally->counted[step])
					time += tally_at(tally, i, (enum timing_phase)p, step)->time;
			if (time == 0)
				continue;
			any = true;
			merge(t, tally, i, x, (enum timing_phase)p, at, wall, busy);
			of->no_busy |= !tally->busy;
			if (tally->ncounted > of->steps)
				of->steps = tally->ncounted;
			if (of->source != source)
				of->sources++;
			of->source = source;
		}
	free(wall);
	free(busy);
	return any;
}

double
timings_layer(const struct timings *t, int layer, enum timing_phase p, bool busy)
{
	const struct layer_time *l = &t->at[layer];

	if (l->files[p] == 0)
		return 0;
	return (busy && !t->of[t->layers.at[layer].class].no_busy ? l->busy[p] : l->wall[p]) / l->files[p];
}

struct sum
timings_sum(const struct timings *t, int class, enum timing_phase p)
{
	struct sum s = { 0 };

	for (int i = 0; i < t->layers.n; i++) {
		const struct layer_time *l = &t->at[i];

		if (t->layers.at[i].class != class || l->sum[p].time <= 0)
			continue;
		s.step.time += l->sum[p].time / l->steps[p];
		s.step.busy += l->sum[p].busy / l->steps[p];
		s.step.idle += l->sum[p].idle / l->steps[p];
		s.step.events += l->sum[p].events;
		s.wall += timings_layer(t, i, p, false);
		s.busy += timings_layer(t, i, p, true);
		s.n++;
	}
	return s;
}

void
timings_write(FILE *out, const struct timings *t)
{
	for (int i = 0; i < t->classes->n; i++) {
		struct class_time *of = &t->of[i];

		for (int p = 0; p < PHASES_TIMED; p++) {
			struct sum s = timings_sum(t, i, (enum timing_phase)p);
			struct spread *v = &of->spread[p];
			struct timing r = { .name = (char *)t->classes->at[i].said, .phase = p,
			    .total = s.step.time * of->steps / ns_per_ms, .instances = s.n,
			    .events = (int)s.step.events, .steps = of->steps };
			double middle;

			if (s.n == 0)
				continue;
			middle = numbers_median(v->at, v->n);
			if (!of->no_busy)
				GIVE(timing, &r, busy, s.step.busy * of->steps / ns_per_ms);
			GIVE(timing, &r, min, v->at[0] / ns_per_ms);
			GIVE(timing, &r, median, middle / ns_per_ms);
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
	for (int k = RECOMPUTE_SELECT; k < RECOMPUTE_BUILT_IN; k++) {
		double off = fabs(share - 2 * recompute_default_coef[k]);

		if (best == RECOMPUTE_NONE || off < nearest) {
			best = (enum recompute)k;
			nearest = off;
		}
	}
	return best;
}

struct repeated {		/* ns, layers that ran under one kind of recomputation */
	double time;
	int n;
};

static void
put_layer(FILE *out, const struct timings *t, int class, int micro, int layers)
{
	const struct class *c = &t->classes->at[class];
	struct sum forward = timings_sum(t, class, TIMING_FORWARD),
	    backward = timings_sum(t, class, TIMING_BACKWARD), weight = timings_sum(t, class, TIMING_WEIGHT);
	struct repeated again[RECOMPUTE_BUILT_IN] = { 0 };
	double per = ns_per_ms * micro, plain;
	struct layer l = { .name = (char *)c->said, .type = (int)c->type,
	    .nb_layer = layers ? layers : forward.n };

	if (forward.n == 0)
		return;
	GIVE(layer, &l, time, (t->busy ? forward.busy : forward.wall) / forward.n / per);
	if (c->type == LAYER_BODY && forward.busy > 0 && forward.busy < forward.wall)
		GIVE(layer, &l, busy_time, forward.busy / forward.n / per);
	if (c->type == LAYER_BODY && t->activation > 0)
		GIVE(layer, &l, memory[RECOMPUTE_NONE], t->activation);
	for (int i = 0; i < t->layers.n; i++) {
		/* Its share is told by what kernels take, which no host makes longer. */
		double once = timings_layer(t, i, TIMING_FORWARD, true),
		    share = timings_layer(t, i, TIMING_RECOMPUTE, true);
		enum recompute k = once > 0 ? kind_of(share / once) : RECOMPUTE_NONE;

		if (t->layers.at[i].class != class || share == 0)
			continue;
		again[k].time += timings_layer(t, i, TIMING_RECOMPUTE, t->busy);
		again[k].n++;
	}
	if (backward.n > 0) {
		plain = (t->busy ? backward.busy : backward.wall) / backward.n / per;
		if (weight.n > 0)
			plain += (t->busy ? weight.busy : weight.wall) / weight.n / per;
		/* The ends are not planned with: their backward is what it was. */
		if (c->type != LAYER_BODY)
			for (int k = 0; k < RECOMPUTE_BUILT_IN; k++)
				plain += again[k].time / backward.n / per;
		GIVE(layer, &l, backward[RECOMPUTE_NONE], plain);
		for (int k = RECOMPUTE_SELECT; k < RECOMPUTE_BUILT_IN && c->type == LAYER_BODY; k++)
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
		seen += t->classes->at[i].type == LAYER_BODY && timings_sum(t, i, TIMING_FORWARD).n > 0;
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
