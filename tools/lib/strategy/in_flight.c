#include "in_flight.h"

#include <math.h>

bool
pieces_alone(const struct configuration *c, int layers)
{
	return (int64_t)c->pp * c->vp > layers;
}

/* Micro-batches of pieces, of all chunks together, that interleaving keeps at a stage's peak. */
static double
pieces_in_flight(const struct configuration *c, int stage)
{
	double m = c->micro_batches, p = c->pp, v = c->vp, behind = p - stage - 1;

	return fmin(m * v, (c->schedule == ORDER_INTERLEAVED ? 2 : 1) * behind + (v - 1) * p + 1);
}

/*
 * Forwards go through the chunks in groups of as many micro-batches as stages. Every piece has a layer but the last,
 * and where there are two more pieces than layers the first: those keep nothing.
 */
static double
in_flight_alone(const struct configuration *c, int stage, int layers)
{
	double p = c->pp, all = pieces_in_flight(c, stage), turn = p * c->vp, rounds = floor(all / turn), sum = 0;
	int pieces = 0;

	for (int k = 0; k < c->vp; k++) {
		bool first = stage == 0 && k == 0 && c->pp * c->vp > layers + 1;

		if (first || (stage == c->pp - 1 && k == c->vp - 1))
			continue;
		sum += rounds * p + fmin(fmax(all - rounds * turn - k * p, 0), p);
		pieces++;
	}
	/* Behind the losses of a group the last stage begins with the next group before it goes on with backwards. */
	if (stage == c->pp - 1 && c->micro_batches > c->pp)
		sum++;
	return pieces > 0 ? sum / pieces : 0;
}

double
in_flight(const struct configuration *c, int stage, int layers)
{
	double m = c->micro_batches, p = c->pp;

	switch ((enum order_kind)c->schedule) {
	case ORDER_NONE:
	case ORDER_1F1B:
		break;
	case ORDER_INTERLEAVED:
	case ORDER_INTERLEAVED_LESS:
		return pieces_alone(c, layers) ? in_flight_alone(c, stage, layers) : pieces_in_flight(c, stage) / c->vp;
	case ORDER_GPIPE:
		return m;
	}
	return fmin(m, p - stage);
}
