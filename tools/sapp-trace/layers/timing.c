#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/numbers.h"
#include "lib/record/record.h"

static const double ns_per_ms = 1e6;
static const double in_step = 0.1;	/* fraction of a layer's time that ranks usually wait for one another */
static const double noise = 0.005;	/* fraction of a forward below which repeated time is not recomputation */

void
timings_init(struct timings *t, const struct classes *classes)
{
	*t = (struct timings){ .classes = classes };
	t->of = xcalloc((size_t)classes->n + MAX_BODY_KINDS, sizeof *t->of);
}

static int
layer_of(struct timings *t, const struct instance *x, struct place at)
{
	int before = t->layers.n;
	int i = instance_of(&t->layers, (struct text){ x->component, strlen(x->component) }, x->class, 0, at);

	if (t->layers.n > before)
		*APPEND(t->at, before) = (struct layer_time){ 0 };
	return i;
}

static double
median(double *x, int n)
{
	double middle = numbers_median(x, (size_t)n);

	/* Of two steps, use the shorter, because the first step may be slow. */
	return n == 2 ? x[0] : middle;
}

/* Add the counted steps of one layer in one phase of the last file. */
static void
merge(struct timings *t, const struct step_tally *tally, int instance, const struct instance *x, enum timing_phase p,
    struct place at)
{
	struct timed_layer m = { .layer = layer_of(t, x, at), .file = t->files - 1, .phase = p, .first = t->nsamples };

	for (int step = 0; step < tally->steps; step++)
		if (tally->counted[step]) {
			*APPEND(t->sample, t->nsamples) = (struct sample){ *tally_at(tally, instance, p, step), 0 };
			m.n++;
		}
	*APPEND(t->measured, t->nmeasured) = m;
}

bool
timings_merge(struct timings *t, const struct step_tally *tally, const struct instances *instances, struct place at,
    const char *source)
{
	/* [instances][PHASES_TIMED], 1 + index in t->sample of the first sample of a layer and phase; 0: no sample. */
	size_t *first = xcalloc((size_t)tally->instances * PHASES_TIMED + 1, sizeof *first);
	size_t *order = xcalloc((size_t)tally->steps + 1, sizeof *order), counted = 0;
	bool any = false;

	*APPEND(t->file, t->files) = source;
	for (int step = 0; step < tally->steps; step++) {
		order[step] = counted;
		counted += tally->counted[step];
	}
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
			first[i * PHASES_TIMED + p] = t->nsamples + 1;
			merge(t, tally, i, x, (enum timing_phase)p, at);
			of->no_busy |= !tally->busy;
			if (tally->ncounted > of->steps)
				of->steps = tally->ncounted;
			if (of->source != source)
				of->sources++;
			of->source = source;
		}
	for (size_t i = 0; i < tally->waits.n; i++) {
		struct wait w = tally->waits.at[i];
		size_t from = w.owner >= 0 ? first[w.owner * PHASES_TIMED + (int)w.phase] : 0;

		if (from == 0 || w.step < 0 || !tally->counted[w.step])
			continue;
		w.sample = from - 1 + order[w.step];
		*APPEND(t->waits.at, t->waits.n) = w;
	}
	free(first);
	free(order);
	return any;
}

/* Return the index of the group to which a layer belongs: the layers of its class in one file and phase. */
static size_t
group_of(const struct timings *t, const struct timed_layer *m)
{
	return ((size_t)m->file * (size_t)t->classes->n + (size_t)t->layers.at[m->layer].class) * PHASES_TIMED +
	    m->phase;
}

struct pace {			/* times of a file by class and phase, ns */
	double wall, busy;
	int n;
	double time, wait;	/* sums over all samples */
};

/* Return whether file A takes more time per layer than file B. */
static bool
slower(const struct pace *a, const struct pace *b, bool busy)
{
	return (busy ? a->busy : a->wall) * b->n > (busy ? b->busy : b->wall) * a->n;
}

void
timings_settle(struct timings *t)
{
	struct pace *pace = xcalloc((size_t)t->files * (size_t)t->classes->n * PHASES_TIMED + 1, sizeof *pace);

	waits_resolve(&t->waits);
	for (size_t i = 0; i < t->waits.n; i++)
		t->sample[t->waits.at[i].sample].wait += wait_time(&t->waits.at[i]);
	for (size_t i = 0; i < t->nmeasured; i++) {
		struct pace *of = &pace[group_of(t, &t->measured[i])];

		for (int k = 0; k < t->measured[i].n; k++) {
			of->time += t->sample[t->measured[i].first + (size_t)k].cell.time;
			of->wait += t->sample[t->measured[i].first + (size_t)k].wait;
		}
	}
	for (size_t i = 0; i < t->nmeasured; i++) {
		struct timed_layer *m = &t->measured[i];
		struct pace *of = &pace[group_of(t, m)];
		double *x = xcalloc((size_t)m->n, sizeof *x);

		for (int k = 0; k < m->n; k++) {
			struct sample *s = &t->sample[m->first + (size_t)k];
			struct spread *spread = &t->of[t->layers.at[m->layer].class].spread[m->phase];

			s->wait = of->wait > in_step * of->time ? fmin(s->wait, s->cell.time) : 0;
			s->cell.time -= s->wait;
			x[k] = s->cell.time;
			*APPEND(spread->at, spread->n) = x[k];
		}
		m->wall = median(x, m->n);
		for (int k = 0; k < m->n; k++)
			x[k] = t->sample[m->first + (size_t)k].cell.busy;
		m->busy = median(x, m->n);
		free(x);
		of->wall += m->wall;
		of->busy += m->busy;
		of->n++;
	}
	/*
	 * A step waits for the slowest rank of a stage. All layers are compared together, because noise would decide
	 * for a single layer.
	 */
	for (size_t i = 0; i < t->nmeasured; i++) {
		const struct timed_layer *m = &t->measured[i];
		struct layer_time *l = &t->at[m->layer];

		for (int busy = 0; busy < 2; busy++) {
			const struct timed_layer **by = busy ? &l->busy[m->phase] : &l->wall[m->phase];

			if (*by == NULL || slower(&pace[group_of(t, m)], &pace[group_of(t, *by)], busy))
				*by = m;
		}
	}
	free(pace);
}

double
timings_layer(const struct timings *t, int layer, enum timing_phase p, bool busy)
{
	const struct layer_time *l = &t->at[layer];

	if (l->wall[p] == NULL)
		return 0;
	return busy && !t->of[t->layers.at[layer].class].no_busy ? l->busy[p]->busy : l->wall[p]->wall;
}

/* Return the ns in all counted steps; most of the steps may be empty. */
static double
time_of(const struct timings *t, const struct timed_layer *m)
{
	double sum = 0;

	for (int k = 0; k < m->n; k++)
		sum += t->sample[m->first + (size_t)k].cell.time;
	return sum;
}

struct sum
timings_sum(const struct timings *t, int class, enum timing_phase p)
{
	struct sum s = { 0 };

	for (int i = 0; i < t->layers.n; i++) {
		const struct timed_layer *m = t->at[i].wall[p], *busy = t->at[i].busy[p];

		if (t->layers.at[i].class != class || m == NULL || time_of(t, m) <= 0)
			continue;
		for (int k = 0; k < m->n; k++) {
			const struct sample *x = &t->sample[m->first + (size_t)k];

			s.step.time += x->cell.time / m->n;
			s.step.idle += x->cell.idle / m->n;
			s.step.events += x->cell.events;
			s.wait += x->wait / m->n;
		}
		for (int k = 0; k < busy->n; k++)
			s.step.busy += t->sample[busy->first + (size_t)k].cell.busy / busy->n;
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
			if (s.wait > 0)
				GIVE(timing, &r, wait, s.wait * of->steps / ns_per_ms);
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
 * Return the kind of recomputation of a layer from SHARE, the fraction of its forward that ran again. The fraction
 * expected of a kind is twice its default coefficient, because coefficients are relative to a backward of two forwards.
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

struct repeated {		/* ns of the layers that ran under one kind of recomputation */
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
	if (c->type == LAYER_BODY && t->of[class].activation > 0)
		GIVE(layer, &l, memory[RECOMPUTE_NONE], t->of[class].activation);
	for (int i = 0; i < t->layers.n; i++) {
		/* Kernel times give the fraction independently of the host. */
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
		/* The recomputation of the model's ends is not planned, so their backward is as measured. */
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
	free(t->file);
	free(t->measured);
	free(t->sample);
	waits_free(&t->waits);
	instances_free(&t->layers);
	*t = (struct timings){ 0 };
}
