#include "tolerance.h"

#include <float.h>
#include <math.h>

#include "problem.h"

/* number of terms of a peak in addition to its layers: merges of fronts, chunks and the model's ends */
enum { PEAK_TERMS = 64 };
static const double EXCESS_CLOSE = 1e-6;	/* MB */

double
proof_limit(const struct problem *p, int stage)
{
	double largest = fabs(p->limit[stage]) + fabs(p->net->constant) + MEMORY_SLACK;

	return p->limit[stage] + MEMORY_SLACK + 2 * SAME_ACTIVATION * (p->net->layers + p->pieces + PEAK_TERMS) *
	    largest;
}

double
excess_close(const struct problem *p)
{
	double most = 0;

	for (int s = 0; s < p->stages; s++)
		most = fmax(most, proof_limit(p, s) - p->limit[s]);
	return 2 * most + EXCESS_CLOSE;
}

double
rounded_down(double sum, double magnitude, double terms)
{
	return sum - DBL_EPSILON * (terms + 4) * magnitude;
}

double
proved_bound(const struct problem *p, double sum, double magnitude, double terms)
{
	/* A path adds up operations one after the other. The time of a piece adds up layers by kind. */
	double simulated = p->evaluator.noperations + p->net->nbodies * RECOMPUTE_KINDS + 2;
	/*
	 * If B and W are separate operations, mixes that count as equal may differ slightly in the time of B or W. A
	 * path may visit such an operation in every piece.
	 */
	double taken = p->parts ? 2 * SAME_ACTIVATION * (p->net->layers + p->pieces + PEAK_TERMS) * p->pieces : 0;

	return rounded_down(sum, magnitude, terms + simulated) - (2 * DOMINATED + taken) * fabs(sum);
}
