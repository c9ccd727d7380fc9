#include "in_flight.h"

#include <math.h>

bool
pieces_alone(const struct configuration *c, int layers)
{
	return (int64_t)c->pp * c->vp > layers;
}

/* Return the number of micro-batches in flight at a stage's peak in interleaved 1F1B, summed over its chunks. */
static double
pieces_in_flight(const struct configuration *c, int stage)
{
	double m = c->micro_batches, p = c->pp, v = c->vp, behind = p - stage - 1;

	return fmin(m * v, (c->schedule == ORDER_INTERLEAVED ? 2 : 1) * behind + (v - 1) * p + 1);
}

/*
 * Return in_flight() in interleaved 1F1B with empty pieces. A chunk runs the forwards of P micro-batches before the
 * next chunk, where P is the number of stages. The last piece is empty and keeps nothing. If at least two pieces are
 * empty, the first piece is the second of these.
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
	/* The last stage starts the next group before the backwards of the previous group. */
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
