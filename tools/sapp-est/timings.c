#include "timings.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "layers.h"

#define MILLI 1e-3

static struct timed *
timed_of(struct est_timings *t, const char *name)
{
	for (int i = 0; i < t->n; i++)
		if (strcmp(t->at[i].name, name) == 0)
			return &t->at[i];
	*APPEND(t->at, t->n) = (struct timed){ .name = xstrdup(name) };
	return &t->at[t->n - 1];
}

void
timings_take(struct est_timings *t, const struct timing *timing)
{
	static const int phases[] = { TIMING_FORWARD, TIMING_BACKWARD, TIMING_RECOMPUTE };
	struct timed *of = timed_of(t, timing->name);

	for (int p = 0; p < TIMED_PHASES; p++)
		if (timing->phase == phases[p]) {
			of->total[p] += timing->total;
			of->passes[p] += (double)timing->instances * timing->steps;
			if (phases[p] == TIMING_FORWARD)
				of->instances += timing->instances;
		}
}

/* Return the s of a layer per micro-batch; below 0: unknown. */
static double
time_of(const struct timed *of, int phase, int micro_batches)
{
	return of->passes[phase] > 0 ? MILLI * of->total[phase] / of->passes[phase] / micro_batches : -1;
}

/* Set a time unless it is already set. */
static void
settle(double *x, double time)
{
	if (*x < 0 && time >= 0)
		*x = time;
}

void
timings_apply(struct est_timings *t, struct measured *m, const struct architecture *n, struct place at)
{
	for (int i = 0; i < t->n; i++) {
		const struct timed *of = &t->at[i];
		int kind = layers_kind(of->name, of->instances, n);
		struct measured_layer *to;

		if (kind < 0 || !(of->passes[0] > 0)) {
			warnx("timing: ignored, as it is unknown which layer of the network '%s' is", of->name);
			continue;
		}
		if (t->micro_batches == 0)
			place_die(at, "timing: the time of a micro-batch needs micro_batches in a job record");
		to = &m->layer[kind];
		settle(&to->forward, time_of(of, 0, t->micro_batches));
		settle(&to->backward, time_of(of, 1, t->micro_batches));
		settle(&to->again[KEEP_FULL], time_of(of, 2, t->micro_batches));
	}
	est_timings_free(t);
}

void
est_timings_free(struct est_timings *t)
{
	for (int i = 0; i < t->n; i++)
		free(t->at[i].name);
	free(t->at);
	*t = (struct est_timings){ .micro_batches = t->micro_batches };
}
