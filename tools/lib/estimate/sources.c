#include "sources.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#define LINK 0.3	/* relative error of the times of a link without measurements */

struct grounds
sources_grounds(const struct collective *k, double members)
{
	if (k == NULL)
		return (struct grounds){ .source = SOURCE_COMPUTED, .error = LINK };
	if (k->kind == COLLECTIVE_SENDS || k->members == members)
		return (struct grounds){ .source = SOURCE_MEASURED, .error = fmax(k->error, 0.05) };
	return (struct grounds){ .source = SOURCE_FITTED, .error = 1.3 * fmax(k->error, 0.1) };
}

static void
divide(struct appraisal *a, const struct grounds *g, double time)
{
	bool parted = g->share[0] + g->share[1] + g->share[2] > 0;

	for (int i = 0; i < 3; i++)
		a->share[i] += time * (parted ? g->share[i] : i == g->source);
}

void
sources_divide(struct appraisal *a)
{
	const double *part = a->part;
	int network = a->network.source;
	double of_layers = part[STEP_FORWARD] + part[STEP_BACKWARD] + part[STEP_TP] + part[STEP_CP] + part[STEP_EP];

	for (int i = 0; i < STEP_BUBBLE; i++)
		if (!(part[i] >= -1e-9 * a->brief.step_time)) {
			warnx("fault in this program: a part of the step takes %g s", part[i]);
			abort();
		}
	divide(a, &a->costs->layers, of_layers + part[STEP_BUBBLE]);
	divide(a, &a->costs->ends, part[STEP_HEAD]);
	a->share[network] += part[STEP_DP];
	a->share[a->transfers.source] += part[STEP_PP];
	a->share[a->besides.source] += part[STEP_OPTIMIZER];
	for (int i = 0; i < 3; i++)
		a->share[i] = fmax(0, a->share[i]) / a->brief.step_time;
}
