#include "pseudo_costs.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"

static const double LEAST = 1e-9;	/* minimum factor of a child in the product, relative to the mean gain */

struct pseudo_costs
pseudo_costs_new(int n)
{
	return (struct pseudo_costs){ .n = n, .at = xcalloc((size_t)n, sizeof(struct pseudo_cost)) };
}

void
pseudo_costs_free(struct pseudo_costs *c)
{
	free(c->at);
}

void
pseudo_costs_add(struct pseudo_costs *c, int at, bool upper, double gain, double distance)
{
	struct pseudo_cost *sums[] = { &c->at[at], &c->all };

	for (int i = 0; i < 2; i++) {
		sums[i]->sum[upper] += gain / distance;
		sums[i]->n[upper]++;
	}
}

/* Return the mean gain of a side, ms per unit of distance. */
static double
mean(const struct pseudo_costs *c, int at, int side)
{
	const struct pseudo_cost *of = c->at[at].n[side] > 0 ? &c->at[at] : &c->all;

	return fmax(of->sum[side] / of->n[side], LEAST * c->all.sum[side] / c->all.n[side]);
}

bool
pseudo_costs_known(const struct pseudo_costs *c)
{
	return c->all.n[0] > 0 && c->all.n[1] > 0;
}

double
pseudo_costs_score(const struct pseudo_costs *c, int at, double lower, double upper)
{
	return mean(c, at, 0) * lower * mean(c, at, 1) * upper;
}
