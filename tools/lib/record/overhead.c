#include "overhead.h"

#include <math.h>
#include <stddef.h>

const char *const transfers_names[] = { "hidden", "blocking", "batched", "overlap", "streams-1",
	"streams-2", "streams-4", "one-by-one", NULL };

static double
on(struct list l, int stage)
{
	return l.n == 0 ? 0 : list_get(l, stage);
}

static void
numbers_check(struct list l, int stages, const char *what, const char *name, struct place at)
{
	if (l.n > 1 && stages > 0 && l.n != stages)
		place_die(at, "%s: %s: %d numbers for %d stages", what, name, l.n, stages);
}

void
overhead_check(struct list overhead, struct list early, int stages, const char *what, struct place at)
{
	int n = overhead.n > early.n ? overhead.n : early.n;

	numbers_check(overhead, stages, what, "overhead", at);
	numbers_check(early, stages, what, "overhead_early", at);
	numbers_check(early, overhead.n > 1 ? overhead.n : 0, what, "overhead_early", at);
	for (int s = 0; s < n && early.n > 0; s++)
		if (on(early, s) > on(overhead, s) * (1 + 1e-9))
			place_die(at, "%s: overhead_early: more than overhead on stage %d '%g'", what, s, on(early, s));
}

double
overhead_step(struct list overhead, struct list early, int stages, const double end[])
{
	double done = 0, rest = 0;

	for (int s = 0; s < stages; s++) {
		done = fmax(done, end[s] + on(early, s));
		rest = fmax(rest, on(overhead, s) - on(early, s));
	}
	return done + rest;
}
