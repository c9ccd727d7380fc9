#include "tally.h"

#include <stdlib.h>

#include "lib/base/alloc.h"

static const size_t max_cells = (size_t)1 << 21;
/* Minimum number of events in a complete step, relative to the step with the most events. */
static const double complete = 0.99;

void
tally_init(struct step_tally *t, int instances, int steps, struct place at)
{
	size_t n = (size_t)instances * PHASES_TIMED;

	if (n > 0 && (size_t)steps > max_cells / n)
		place_die(at, "%d steps of %d layers are too many; check that the operation that marks the steps runs "
		    "once per step", steps, instances);
	*t = (struct step_tally){ .instances = instances, .steps = steps };
	t->cell = xcalloc(n * (size_t)steps, sizeof *t->cell);
	t->counted = xcalloc((size_t)steps, sizeof *t->counted);
}

struct tally_cell *
tally_at(const struct step_tally *t, int instance, enum timing_phase phase, int step)
{
	return &t->cell[((size_t)instance * PHASES_TIMED + phase) * (size_t)t->steps + (size_t)step];
}

void
tally_add(struct step_tally *t, int step, int instance, enum timing_phase phase, struct tally_cell x)
{
	struct tally_cell *c;

	if (step < 0)
		return;
	c = tally_at(t, instance, phase, step);
	c->time += x.time;
	c->busy += x.busy;
	c->idle += x.idle;
	c->events += x.events;
	c->passes += x.passes;
}

static double
events_of_step(const struct step_tally *t, int step)
{
	double n = 0;

	for (int i = 0; i < t->instances; i++)
		for (int p = 0; p < PHASES_TIMED; p++)
			n += tally_at(t, i, (enum timing_phase)p, step)->events;
	return n;
}

static void
count_range(struct step_tally *t, struct step_range asked, struct place at)
{
	if (!asked.all && asked.to >= t->steps)
		place_die(at, "-steps: the timeline has only %d steps, 0-%d", t->steps, t->steps - 1);
	for (int i = 0; i < t->steps; i++)
		t->counted[i] = asked.all || (i >= asked.from && i <= asked.to);
}

/* Leave out the first steps, which are not steady, if enough of the N counted steps remain. */
static void
finish(struct step_tally *t, int n)
{
	int skip = n >= STEADY_MINIMUM ? UNSTEADY_STEPS : 0;

	for (int i = 0; skip > 0; i++)
		if (t->counted[i]) {
			t->counted[i] = false;
			skip--;
		}
}

static void
count(struct step_tally *t)
{
	t->ncounted = 0;
	for (int i = 0; i < t->steps; i++)
		t->ncounted += t->counted[i];
}

void
tally_choose(struct step_tally *t, const struct steps *steps, struct step_range asked, bool cut, struct place at)
{
	double most = 0;
	int n = 0;

	if (asked.given)
		count_range(t, asked, at);
	else {
		/* The last step may be incomplete if it is open or if the file is truncated. */
		for (int i = 0; i < t->steps; i++)
			if (events_of_step(t, i) > most)
				most = events_of_step(t, i);
		for (int i = 0; i < t->steps; i++) {
			bool doubtful = cut || (steps->open && i == t->steps - 1 && t->steps > 1);

			t->counted[i] = !doubtful || events_of_step(t, i) >= complete * most;
			n += t->counted[i];
		}
		finish(t, n);
	}
	count(t);
}

void
tally_choose_of(struct step_tally *t, const bool good[], struct step_range asked, struct place at)
{
	int n = 0;

	if (asked.given)
		count_range(t, asked, at);
	for (int i = 0; i < t->steps; i++) {
		t->counted[i] = good[i] && (!asked.given || t->counted[i]);
		n += t->counted[i];
	}
	if (!asked.given)
		finish(t, n);
	count(t);
}

void
tally_free(struct step_tally *t)
{
	free(t->cell);
	free(t->counted);
	waits_free(&t->waits);
	*t = (struct step_tally){ 0 };
}
