/* Sampling: the evaluator's lanes compute one plan for several samples at a time. */
#include "sampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/numbers.h"
#include "lib/base/random.h"
#include "sapp-lp/pattern/recompute_greedy.h"

static const double SHORTER = 1 - 1e-9;
/* maximum number of pieces for which layers move to any piece; with more pieces they move only to neighbours */
enum { NEIGHBOURS = 40 };

struct sampling {
	const struct problem *p;
	double spread;
	int micro;			/* number of micro-batches, not counting the parts of a split sequence */
	double *cost, *error;		/* [slots] and [pieces], of the current plan */
	struct lanes *end, *clock;
	struct lanes *factor;		/* [micro][pieces], factors of LANES samples */
};

/*
 * Return the z of a sample (Box and Muller 1958). It is computed from a hash of its indices, so it does not depend on
 * the order of drawing.
 */
static double
normal(int sample, int piece, int micro)
{
	uint64_t state = (((uint64_t)sample << 20 ^ (uint64_t)piece) << 24 ^ (uint64_t)micro) * RANDOM_ODD;
	double radius = sqrt(-2 * log(1 - random_unit(&state)));

	return radius * cos(2 * M_PI * random_unit(&state));
}

static double
factor(const struct sampling *s, int sample, int piece, int micro, double error)
{
	double f = 1;

	if (s->spread > 0)
		f += s->spread * normal(sample, 0, micro);
	if (error > 0)
		f += error * normal(sample, 1 + piece, micro);
	return f > 0 ? f : 0;
}

struct sampling *
sampling_new(const struct problem *p, double micro_spread)
{
	struct sampling *s = xcalloc(1, sizeof *s);
	int splits = p->shape.splits > 1 ? p->shape.splits : 1;

	*s = (struct sampling){ .p = p, .spread = micro_spread, .micro = p->micro / splits };
	s->cost = xcalloc((size_t)p->evaluator.slots, sizeof *s->cost);
	s->error = xcalloc((size_t)p->pieces, sizeof *s->error);
	s->end = evaluator_lanes(p->evaluator.registers);
	s->clock = evaluator_lanes((size_t)p->evaluator.clocks);
	s->factor = evaluator_lanes((size_t)p->pieces * (size_t)s->micro);
	return s;
}

void
sampling_free(struct sampling *s)
{
	free(s->cost);
	free(s->error);
	free(s->end);
	free(s->clock);
	free(s->factor);
	free(s);
}

bool
sampling_needed(const struct network *net)
{
	bool any = net->head.error > 0 || net->tail.error > 0;

	for (int b = 0; b < net->nbodies; b++)
		any |= net->body[b].error > 0;
	return any;
}

/* Return E(i) of a piece with LAYERS[bodies]. */
static double
error_of(const struct problem *p, int piece, const int *layers)
{
	const struct end *ends[] = { &p->net->head, &p->net->tail };
	double sum = 0, time = 0;

	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->net->body[b];

		time += layers[b] * body->forward;
		sum += layers[b] * body->forward * body->error;
	}
	for (int i = 0; i < 2; i++)
		if (piece == p->piece[i == 0 ? 0 : p->pieces - 1]) {
			time += ends[i]->forward;
			sum += ends[i]->forward * ends[i]->error;
		}
	return time > 0 ? sum / time : 0;
}

struct table
sampling_factors(const struct sampling *s, int sample)
{
	struct table t = table_new(s->p->pieces, s->micro);

	for (int i = 0; i < s->p->pieces; i++)
		for (int m = 0; m < s->micro; m++)
			t.at[(size_t)s->p->plan_piece[i] * (size_t)s->micro + (size_t)m] =
			    factor(s, sample, i, m, s->error[i]);
	return t;
}

struct quantiles
quantiles_of(double *step)
{
	numbers_sort(step, SAMPLES);
	return (struct quantiles){ step[(SAMPLES + 1) / 2 - 1], step[(9 * SAMPLES + 9) / 10 - 1] };
}

static struct quantiles
quantiles_now(struct sampling *s, const struct candidate *c)
{
	const struct problem *p = s->p;
	double step[SAMPLES];

	candidate_costs(p, c, s->cost);
	for (int i = 0; i < p->pieces; i++)
		s->error[i] = error_of(p, i, p->contents.content[c->content[i]].body);
	for (int first = 0; first < SAMPLES; first += LANES) {
		struct lanes t;

		for (int m = 0; m < s->micro; m++)
			for (int i = 0; i < p->pieces; i++)
				for (int l = 0; l < LANES; l++)
					s->factor[m * p->pieces + i].at[l] = factor(s, first + l, i, m, s->error[i]);
		t = evaluator_sample(&p->evaluator, s->cost, s->factor, p->micro / s->micro, s->end, s->clock);
		memcpy(step + first, t.at, sizeof t.at);
	}
	return quantiles_of(step);
}

/*
 * Make the plan with these numbers of layers in the pieces. Its stages are recomputed as needed. Return false if no
 * such plan fits.
 */
static bool
lay_out(const struct problem *p, const int *layers, struct candidate *c)
{
	if (!candidate_lay_out(p, layers, c))
		return false;
	memset(c->mix, 0, (size_t)p->pieces * sizeof *c->mix);
	if (!recompute_plan(p, c))
		return false;
	return candidate_fits(p, c);
}

/* Move a layer: the first move that lowers p90 is made. Return false if no move lowers p90, or the time is over. */
static bool
improve(struct sampling *s, int *layers, struct candidate *best, struct quantiles *q, double deadline)
{
	const struct problem *p = s->p;
	struct candidate c = candidate_new(p);
	bool shorter = false;

	for (int a = 0; a < p->pieces && !shorter; a++)
		for (int b = 0; b < p->pieces && !shorter && clock_left(deadline); b++) {
			int from = p->piece[a], to = p->piece[b];

			if (a == b || layers[from] <= p->fewest[from] || (p->pieces > NEIGHBOURS && abs(a - b) > 1))
				continue;
			layers[from]--;
			layers[to]++;
			if (lay_out(p, layers, &c)) {
				struct quantiles then = quantiles_now(s, &c);

				shorter = then.p90 < q->p90 * SHORTER;
				if (shorter) {
					*q = then;
					candidate_copy(p, best, &c);
				}
			}
			if (!shorter) {
				layers[from]++;
				layers[to]--;
			}
		}
	candidate_free(&c);
	return shorter;
}

struct quantiles
sampling_improve(struct sampling *s, struct candidate *c, double deadline)
{
	const struct problem *p = s->p;
	int *layers = xcalloc((size_t)p->pieces, sizeof *layers);
	struct quantiles q = quantiles_now(s, c);

	for (int i = 0; i < p->pieces; i++)
		layers[i] = p->contents.content[c->content[i]].layers;
	while (improve(s, layers, c, &q, deadline))
		continue;
	free(layers);
	return quantiles_now(s, c);
}
