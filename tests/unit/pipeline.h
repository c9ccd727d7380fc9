/* Functions for tests of schedules and simulations: even loads, runs, counts. */
#ifndef TEST_PIPELINE_H
#define TEST_PIPELINE_H

#include "lib/simulate/load.h"
#include "lib/simulate/simulation.h"
#include "tap.h"

/*
 * Return a load in which every piece takes F, B and W ms and keeps 1 MB of activations. B and W together are the whole
 * backward.
 */
static inline struct load
even_load(int chunks, int stages, double f, double b, double w)
{
	struct load l = {
		.chunks = chunks,
		.stages = stages,
		.forward = table_new(chunks, stages),
		.backward = table_new(chunks, stages),
		.plain = table_new(chunks, stages),
		.weight = table_new(chunks, stages),
		.activation = table_new(chunks, stages),
		.kept = table_new(chunks, stages),
		.fixed = list_new(stages),
		.together = 1,
	};

	for (int i = 0; i < chunks * stages; i++) {
		l.forward.at[i] = f;
		l.backward.at[i] = l.plain.at[i] = b + w;
		l.weight.at[i] = w;
		l.activation.at[i] = l.kept.at[i] = 1;
	}
	return l;
}

struct outcome {
	double step;
	double peak;		/* sum over all stages */
	double lowest;		/* of the peaks */
	double span;		/* longest time from a stage's first operation to the end of its last */
	double path;		/* length of the critical path */
};

/*
 * Simulate a schedule. The step of the result is -1 if the question has a problem, and -2 if the order cannot run.
 * PEAKS[stages] may be NULL.
 */
static inline struct outcome
run(struct shape q, const struct load *l, double *peaks)
{
	struct outcome out = { .step = -1 };
	struct schedule s;
	struct simulation sim = { 0 };
	struct path path;

	if (schedule_problem(&q) != NULL)
		return out;
	s = schedule_new(&q);
	if (simulation_run(&sim, &s, l)) {
		out.step = sim.step_time;
		out.peak = out.lowest = sim.peak.at[0];
		for (int i = 0; i < s.stages; i++) {
			struct op last = s.op[s.first[i + 1] - 1];

			if (peaks != NULL)
				peaks[i] = sim.peak.at[i];
			out.peak = fmax(out.peak, sim.peak.at[i]);
			out.lowest = fmin(out.lowest, sim.peak.at[i]);
			out.span = fmax(out.span, sim.end[schedule_slot(&s, i, last)] -
			    simulation_start(&sim, i, s.first[i]));
		}
		path = simulation_path(&sim);
		out.path = path.delay;
		for (int p = 0; p < PHASES; p++)
			for (int i = 0; i < s.chunks * s.stages; i++)
				out.path += path.time[p].at[i];
		path_free(&path);
	} else {
		out.step = -2;
	}
	simulation_free(&sim);
	schedule_free(&s);
	return out;
}

static inline struct shape
shape(enum schedule_kind kind, int stages, int chunks, int micro)
{
	return (struct shape){ .kind = kind, .stages = stages, .chunks = chunks, .micro = micro };
}

/* TAP for many cases of one kind: only the first failing case is printed. */
struct cases {
	int n, failed;
	char first[200];
};

/* GOT is printed for a failing case. */
static inline void
case_is(struct cases *c, bool good, const struct shape *q, double got)
{
	c->n++;
	if (!good && c->failed++ == 0)
		snprintf(c->first, sizeof c->first, "%s P %d V %d M %d splits %d group %d: %g",
		    schedule_names[q->kind], q->stages, q->chunks, q->micro, q->splits, q->group, got);
}

static inline void
cases_done(const struct cases *c, const char *name)
{
	char text[200];

	snprintf(text, sizeof text, "%s (%d cases)", name, c->n);
	if (!ok(c->failed == 0 && c->n > 0, text))
		printf("# %d failed, the first: %s\n", c->failed, c->first);
}

static inline int
random_below(int n)
{
	return (int)((unsigned)rand() % (unsigned)n);
}

static inline struct load
random_load(int chunks, int stages)
{
	struct load l = even_load(chunks, stages, 1, 1, 1);

	l.transient = table_new(chunks, stages);
	for (int i = 0; i < chunks * stages; i++) {
		l.forward.at[i] = 1 + random_below(12);
		l.plain.at[i] = 2 * l.forward.at[i];
		l.backward.at[i] = l.plain.at[i] + random_below(4);
		l.weight.at[i] = 1 + random_below((int)l.plain.at[i]);
		l.activation.at[i] = 1 + random_below(8);
		l.kept.at[i] = random_below((int)l.activation.at[i] + 1);
		l.transient.at[i] = random_below(2) * random_below(16);
	}
	for (int s = 0; s < stages; s++)
		l.fixed.at[s] = random_below(100);
	l.comm = random_below(3);
	l.together = (4 + random_below(5)) / 8.;
	return l;
}

#endif
