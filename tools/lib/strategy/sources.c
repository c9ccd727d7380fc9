#include "sources.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#define LINK 0.3	/* what times of links are off that no run tells */

struct grounds
sources_grounds(const struct collective *k, double members)
{
	if (k == NULL)
		return (struct grounds){ SOURCE_COMPUTED, LINK };
	if (k->sends || k->members == members)
		return (struct grounds){ SOURCE_MEASURED, fmax(k->error, 0.05) };
	return (struct grounds){ SOURCE_FITTED, 1.3 * fmax(k->error, 0.1) };
}

void
sources_divide(struct appraisal *a)
{
	const double *part = a->part;
	int layers = a->costs->layers.source, network = a->network.source;
	double of_layers = part[STEP_FORWARD] + part[STEP_BACKWARD] + part[STEP_TP] + part[STEP_CP] + part[STEP_EP];

	for (int i = 0; i < STEP_BUBBLE; i++)
		if (!(part[i] >= -1e-9 * a->brief.step_time)) {
			warnx("fault: a part of the step takes %g s", part[i]);
			abort();
		}
	a->share[layers] += of_layers + part[STEP_BUBBLE];
	a->share[a->costs->ends.source] += part[STEP_HEAD];
	a->share[network] += part[STEP_DP];
	a->share[a->transfers.source] += part[STEP_PP];
	a->share[a->besides.source] += part[STEP_OPTIMIZER];
	for (int i = 0; i < 3; i++)
		a->share[i] = fmax(0, a->share[i]) / a->brief.step_time;
}
