#include "weights.h"

#include <math.h>

double
body_weight(const struct body *b)
{
	return b->weighed ? b->weight : b->backward[RECOMPUTE_NONE] / 2;
}

double
body_kind_weight(const struct body *b, int kind)
{
	return body_weight(b) + b->weight_more[kind];
}

double
end_weight(const struct end *e)
{
	return e->weighed ? e->weight : e->backward / 2;
}

double
weights_time(const struct layer *l, double least, struct place at)
{
	if (l->weight_time > least * (1 + 1e-9))
		place_die(at, "layer: weight_time: longer than the backward of '%s', %g ms '%g'", l->name, least,
		    l->weight_time);
	return fmin(l->weight_time, least);
}

/* Return the ms of weight gradients under a kind that has its own figure. */
static double
kind_weight_time(const struct layer *l, const struct kind_figures *of, int kind, double backward, struct place at)
{
	if (of->weight_time > backward * (1 + 1e-9))
		place_die(at, "layer: kinds: weight_time: longer than the backward of '%s' with '%s', %g ms '%g'",
		    l->name, recompute_names[kind], backward, of->weight_time);
	return fmin(of->weight_time, backward);
}

/*
 * Set *LEAST to the minimum of FIGURE over kinds that plans may use, and MORE to each kind's excess. Return the maximum
 * excess.
 */
static double
above_least(const struct body *b, const double *figure, double *least, double *more)
{
	double most = 0;

	*least = INFINITY;
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		*least = b->has[k] ? fmin(*least, figure[k]) : *least;
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		more[k] = figure[k] - *least;
		most = b->has[k] ? fmax(most, more[k]) : most;
	}
	return most;
}

void
weights_set(struct network *net, struct body *b, const struct layer *l, struct place at)
{
	double time[RECOMPUTE_KINDS], kept[RECOMPUTE_KINDS], least = INFINITY;
	bool own_time = false, own_kept = false;

	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		struct kind_figures of = layer_figures(l, k);

		if (b->has[k] && !GIVEN(kind_figures, &of, weight_time))
			least = fmin(least, b->backward[k]);
		b->kept = b->has[k] ? fmax(b->kept, b->activation[k]) : b->kept;
		own_time |= GIVEN(kind_figures, &of, weight_time);
		own_kept |= GIVEN(kind_figures, &of, weight_activation);
	}
	b->weighed = GIVEN(layer, l, weight_time);
	if (b->weighed)
		b->weight = weights_time(l, least, at);
	if (GIVEN(layer, l, weight_activation))
		b->kept = l->weight_activation;
	net->keeps |= own_kept || GIVEN(layer, l, weight_activation);
	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		struct kind_figures of = layer_figures(l, k);

		time[k] = GIVEN(kind_figures, &of, weight_time) ?
		    kind_weight_time(l, &of, k, b->backward[k], at) : body_weight(b);
		kept[k] = GIVEN(kind_figures, &of, weight_activation) ? of.weight_activation : b->kept;
	}
	if (own_time) {
		net->weighs_kinds |= above_least(b, time, &b->weight, b->weight_more) > 0;
		b->weighed = true;
	}
	if (own_kept)
		net->keeps_kinds |= above_least(b, kept, &b->kept, b->kept_more) > 0;
}
