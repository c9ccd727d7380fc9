#include "division.h"

#include <math.h>
#include <stdlib.h>

#include "sapp-lp/model/tuning.h"

struct divisions
divisions_new(const struct problem *p)
{
	return (struct divisions){ pseudo_costs_new(p->stages), pseudo_costs_new(p->pieces) };
}

void
divisions_free(struct divisions *d)
{
	pseudo_costs_free(&d->total);
	pseudo_costs_free(&d->layers);
}

/* Return the index of the spread with the largest mean deviation; -1: no spread combines different values. */
static int
widest(const struct spread *b, int n)
{
	int at = -1;

	for (int i = 0; i < n; i++)
		if (b[i].most > b[i].least && (at < 0 || b[i].spread > b[at].spread))
			at = i;
	return at;
}

/*
 * Return the maximum number of layers in the lower child. It is the mean rounded down, but below the maximum, so that
 * the children differ.
 */
static double
split(const struct spread *b)
{
	return fmin(floor(b->mean + 1e-6), b->most - 1);
}

static struct exact_division
division_by(struct pseudo_costs *costs, int at, const struct spread *of)
{
	double below = split(of);

	return (struct exact_division){ costs, at, { of->mean - below, below + 1 - of->mean } };
}

/*
 * Return the index of the spread with the best score. If no pseudo-cost is known, return the spread with the most
 * fractional mean; -1: no spread combines different values.
 */
static int
promising(struct pseudo_costs *costs, const struct spread *b, int n)
{
	double most = -1;
	int at = -1;

	for (int i = 0; i < n; i++)
		if (b[i].most > b[i].least) {
			struct exact_division d = division_by(costs, i, &b[i]);
			double score = tuning.pseudo_costs && pseudo_costs_known(costs) ?
			    pseudo_costs_score(costs, i, d.distance[0], d.distance[1])
			    : fmin(d.distance[0], d.distance[1]);

			if (score > most) {
				most = score;
				at = i;
			}
		}
	return at;
}

bool
divide(struct divisions *d, const struct problem *p, const struct mastered *m, const struct node_bounds *node,
    struct node_bounds *low, struct node_bounds *high, struct exact_division *division)
{
	double middle;
	int at;

	if (m->total == NULL)
		return false;
	*low = node_bounds_new(p, node);
	*high = node_bounds_new(p, node);
	*division = (struct exact_division){ .by = NULL };
	if (borders_crossed(p, m->body, &at, &middle)) {
		low->border[at].high = middle;
		high->border[at].low = middle + 1;
	} else if ((at = promising(&d->total, m->total, p->stages)) >= 0) {
		*division = division_by(&d->total, at, &m->total[at]);
		low->total[at].high = split(&m->total[at]);
		high->total[at].low = low->total[at].high + 1;
	} else if ((at = promising(&d->layers, m->layers, p->pieces)) >= 0) {
		*division = division_by(&d->layers, at, &m->layers[at]);
		low->layers[at].high = split(&m->layers[at]);
		high->layers[at].low = low->layers[at].high + 1;
	} else if ((at = widest(m->backward, p->pieces)) >= 0)
		low->backward[at].high = high->backward[at].low = m->backward[at].mean;
	else if ((at = widest(m->gradient, p->pieces)) >= 0)
		low->gradient[at].high = high->gradient[at].low = m->gradient[at].mean;
	else {
		node_bounds_free(low);
		node_bounds_free(high);
		return false;
	}
	return true;
}

void
division_learn(struct exact_division *d, bool upper, double gain)
{
	if (d->by != NULL && d->distance[upper] > 0)
		pseudo_costs_add(d->by, d->at, upper, gain, d->distance[upper]);
	d->by = NULL;
}
