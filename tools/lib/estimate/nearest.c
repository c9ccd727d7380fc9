#include "nearest.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/thousands.h"

#define MEGA 1048576.0

struct nearest
nearest_none(void)
{
	return (struct nearest){ .over = INFINITY };
}

void
nearest_offer(struct nearest *n, struct estimator *e, const struct configuration *c)
{
	struct appraisal a = estimate_fully(e, c);

	for (int i = 0, worst = 0; i < c->pp; i++) {
		if (a.memory[i] > a.memory[worst])
			worst = i;
		if (i == c->pp - 1 && a.room * a.memory[worst] < n->over)
			*n = (struct nearest){ .of = *c, .over = a.room * a.memory[worst], .stage = worst };
	}
}

/* Return advice on the setting that would reduce the largest part of memory. */
static const char *
advice(const struct appraisal *a)
{
	const double *part = a->memory_part;

	if (part[MEMORY_STATIC] > part[MEMORY_ACTIVATION] + part[MEMORY_LOGITS])
		return "try more stages, more tp or ep, or more devices to divide the optimizer";
	if (part[MEMORY_LOGITS] > part[MEMORY_ACTIVATION])
		return "try fewer sequences in a micro-batch, or more tp or cp";
	return a->brief.recompute == KEEP_FULL ? "try fewer micro-batches in flight, smaller ones, or more tp or cp" :
	    "try fewer micro-batches in flight, more tp, or full recomputation";
}

void
nearest_say(const struct nearest *n, struct estimator *e, const struct cluster *l)
{
	struct appraisal a = estimate_fully(e, &n->of);
	char *name = configuration_name(&n->of), *more = thousands(ceil(n->over / MEGA - l->memory_limit));

	warnx("no configuration fits with even layers: the nearest, %s, needs %s MB more on stage %d: %s", name, more,
	    n->stage,
	    advice(&a));
	free(more);
	free(name);
}
