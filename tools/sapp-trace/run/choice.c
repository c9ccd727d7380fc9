/* Choice: select the median step of all measured steps. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/sorted.h"
#include "outside.h"

ORDER_BY(by_time, struct rank_step, it->time)

ORDER_BY(by_number, struct rank_step, it->number)

/*
 * Return the maximum time of step NUMBER over all runs; negative: a run lacks the step. START [runs + 1]: index of each
 * run's first step.
 */
static double
longest(const struct step_outside *o, const int start[], long number)
{
	struct rank_step key = { .number = number };
	double time = 0;

	for (int run = 0; run < o->runs; run++) {
		const struct rank_step *r = bsearch(&key, o->at + start[run], (size_t)(start[run + 1] - start[run]),
		    sizeof *r, by_number);

		if (r == NULL)
			return -1;
		time = fmax(time, r->time);
	}
	return time;
}

/* Get the number of the median step among the steps that all runs have. Return false if no such step exists. */
static bool
common_step(const struct step_outside *o, const int start[], long *number)
{
	struct rank_step *of = xcalloc((size_t)start[1] + 1, sizeof *of);
	int n = 0;

	for (int i = 0; i < start[1]; i++) {
		of[n] = o->at[i];
		of[n].time = longest(o, start, o->at[i].number);
		n += of[n].time >= 0;
	}
	if (n > 0) {
		SORT(of, n, by_time);
		*number = of[(n - 1) / 2].number;
	}
	free(of);
	return n > 0;
}

void
outside_choose(struct step_outside *o)
{
	int *start = xcalloc((size_t)o->runs + 2, sizeof *start);
	long number = 0;
	bool common;

	for (int i = 0; i < o->n; i++)
		start[o->at[i].run + 1] = i + 1;
	for (int run = 0; run < o->runs; run++)
		qsort(o->at + start[run], (size_t)(start[run + 1] - start[run]), sizeof *o->at, by_number);
	common = common_step(o, start, &number);
	for (int run = 0; run < o->runs; run++) {
		int from = start[run], n = start[run + 1] - from, keep = from + (n - 1) / 2;

		if (!common)
			qsort(o->at + from, (size_t)n, sizeof *o->at, by_time);
		for (int i = from; i < from + n && common; i++)
			if (o->at[i].number == number)
				keep = i;
		for (int i = from; i < from + n; i++)
			if (i != keep)
				rank_step_free(&o->at[i]);
		o->at[run] = o->at[keep];
	}
	o->n = o->runs;
	free(start);
}
