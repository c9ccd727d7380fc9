#include "floor.h"

#include <math.h>
#include <stdlib.h>

/*
 * Guards against noise. The new standard error must be at most the fraction BETTER of the old standard error. A peak
 * may differ from the maximum of both moments by the fraction NEAR of the peak. The number of measurements must exceed
 * the number of unknowns by SPARE.
 */
static const double better = 1.0 / 3, near = 0.02;
enum { SPARE = 2 };

static double
variance(const struct split *s)
{
	double sum = 0;

	for (int i = 0; i < s->system->m; i++)
		sum += s->fit.residual[i] * s->fit.residual[i];
	return sum / (s->system->m - s->system->n);
}

/* Return the MB of the pipeline at measurement I. PLAIN: the equations of the pipeline; S: the solution. */
static double
pipeline(const struct split *s, const struct system *plain, int i)
{
	double sum = plain->measured[i].transient;

	for (int u = 0; u < UNKNOWNS_MAX; u++)
		sum += plain->row[i][u] * (plain->held[u] + plain->plus[u]);
	for (int j = 0; j < plain->n; j++)
		sum += plain->row[i][plain->unknown[j]] * s->value[plain->unknown[j]];
	return sum;
}

/* Return whether every peak is the maximum of both moments. PLAIN: the equations of the pipeline. */
static bool
larger_of_both(const struct split *s, const struct system *plain)
{
	const struct system *sys = s->system;
	double each = s->value[system_floor_unknown(sys)];

	for (int i = 0; i < sys->m; i++) {
		const struct fitted_peak *m = &sys->measured[i];
		double floor = each * *grid_at(sys->init->round[m->round].layers, 0, m->stage);

		if ((m->floor ? pipeline(s, plain, i) : floor) > m->memory * (1 + near))
			return false;
	}
	return each > s->value[UNKNOWN_PARAMETER];
}

bool
floor_find(struct system *sys, const struct split *s)
{
	int best = -1, stages = sys->init->stages;
	double least;

	if (sys->bodies.n > 1 || s->robust || s->fit.rank < sys->n || sys->m < sys->n + 1 + SPARE)
		return false;
	least = better * better * variance(s);
	for (int from = 1; from < stages - 2; from++) {
		struct system trial = system_copy(sys);
		bool enough = system_floor(&trial, from);
		struct split with = split_new(&trial, false);

		if (enough && with.fit.rank == trial.n && variance(&with) < least && larger_of_both(&with, sys)) {
			least = variance(&with);
			best = from;
		}
		split_free(&with);
		system_copy_free(&trial);
	}
	return best > 0 && system_floor(sys, best);
}

void
floor_say(const struct split *s)
{
	const struct system *sys = s->system;
	int first = -1, last = -1;

	for (int i = 0; i < sys->m; i++)
		if (sys->measured[i].floor) {
			first = first < 0 || sys->measured[i].stage < first ? sys->measured[i].stage : first;
			last = sys->measured[i].stage > last ? sys->measured[i].stage : last;
		}
	if (first >= 0)
		place_warn((struct place){ sys->init->place.source, 0 }, "the peaks of stages %d to %d are outside the "
		    "pipeline, at a moment when a layer takes %.1f MB, such as the optimizer's step", first,
		    last, s->value[system_floor_unknown(sys)]);
}
