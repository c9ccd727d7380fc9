#include "layer_prices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/model/weights.h"
#include "sapp-lp/model/tier.h"

struct layer_prices
layer_prices_new(const struct problem *p)
{
	size_t each = (size_t)p->pieces * (size_t)p->net->nbodies;
	struct layer_prices l = { .p = p, .first_row = xcalloc((size_t)p->stages, sizeof *l.first_row) };

	for (int s = 0; s < p->stages; s++) {
		l.first_row[s] = l.rows;
		l.rows += p->evaluator.rows[s].n;
	}
	l.time = xcalloc(each, sizeof *l.time);
	l.activation = xcalloc(each, sizeof *l.activation);
	l.kept = xcalloc(each, sizeof *l.kept);
	l.price = xcalloc(each, sizeof *l.price);
	return l;
}

void
layer_prices_free(struct layer_prices *l)
{
	free(l->first_row);
	free(l->time);
	free(l->activation);
	free(l->kept);
	free(l->price);
}

struct tariff
tariff_of(const struct problem *p, int piece, const double *price)
{
	int stage = piece % p->stages;
	const struct rows *rows = &p->evaluator.rows[stage];
	struct tariff t = { 0 };

	for (int r = 0; r < rows->n; r++) {
		int at = r * p->chunks + piece / p->stages;

		*(row_is_other(p, stage, r) ? &t.floor : &t.parameter) += price[r];
		t.live += price[r] * rows->live[at];
		t.held += price[r] * rows->held[at];
		t.running += price[r] * rows->running[at];
	}
	return t;
}

/*
 * Set the price of a layer of BODY in the N-th piece, the price of its cheapest kind of recomputation. With SHARPNESS,
 * the price is the soft minimum over the kinds, and the mixture of kinds with this price is also set. Return the sum of
 * the absolute terms of the price.
 */
static double
set_price(struct layer_prices *l, int n, int body, struct times worth, struct tariff tariff, double sharpness)
{
	const struct body *b = stage_body(l->p, l->p->piece[n] % l->p->stages, body);
	int at = n * l->p->net->nbodies + body;
	double cost[RECOMPUTE_KINDS], part[RECOMPUTE_KINDS], least = INFINITY, sum = 0;
	double weight = worth.gradient * body_weight(b);
	double same = worth.forward * b->forward + tariff.parameter * b->parameter + tariff.held * b->kept +
	    tariff.floor * b->floor, subtracted = 0;

	for (int k = 0; k < RECOMPUTE_KINDS; k++) {
		cost[k] = b->has[k] ? worth.backward * b->backward[k] + worth.gradient * b->weight_more[k] +
		    tariff.live * b->activation[k] + tariff.held * b->kept_more[k] : INFINITY;
		least = fmin(least, cost[k]);
		subtracted = b->has[k] ? fmax(subtracted, 2 * fabs(worth.gradient) * b->weight_more[k]) : subtracted;
	}
	l->price[at] = least + same + weight;
	if (sharpness > 0) {
		l->time[at] = (struct times){ b->forward, 0, body_weight(b) };
		l->activation[at] = 0;
		l->kept[at] = b->kept;
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			sum += part[k] = exp((least - cost[k]) * sharpness);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (b->has[k]) {
				l->time[at].backward += part[k] / sum * b->backward[k];
				l->time[at].gradient += part[k] / sum * b->weight_more[k];
				l->activation[at] += part[k] / sum * b->activation[k];
				l->kept[at] += part[k] / sum * b->kept_more[k];
			}
		l->price[at] -= log(sum) / sharpness;
	}
	return least + same + fabs(weight) + subtracted;
}

double
layer_prices_set(struct layer_prices *l, const struct visits *paths, const double *row_price, double sharpness)
{
	const struct problem *p = l->p;
	double magnitude = 0;

	for (int n = 0; n < p->pieces; n++) {
		struct times worth = piece_worth(p, p->piece[n], paths);
		struct tariff tariff = tariff_of(p, p->piece[n], row_price + l->first_row[p->piece[n] % p->stages]);
		double largest = 0;

		for (int b = 0; b < p->net->nbodies; b++)
			largest = fmax(largest, set_price(l, n, b, worth, tariff, sharpness));
		/* Sums over all layers are subtracted from one another. */
		magnitude += largest * p->net->layers;
	}
	return magnitude;
}

void
layer_prices_measure(const struct layer_prices *l, const double *mean, double *cost, double *memory)
{
	const struct problem *p = l->p;

	memset(memory, 0, (size_t)l->rows * sizeof *memory);
	for (int n = 0; n < p->pieces; n++) {
		int piece = p->piece[n], stage = piece % p->stages;
		const struct rows *rows = &p->evaluator.rows[stage];
		struct times t = end_times(p, piece);
		double activation = 0, kept = 0;

		for (int b = 0; b < p->net->nbodies; b++) {
			int at = n * p->net->nbodies + b;
			double layers = mean[at];

			t.forward += layers * l->time[at].forward;
			t.backward += layers * l->time[at].backward;
			t.gradient += layers * l->time[at].gradient;
			activation += layers * l->activation[at];
			kept += layers * l->kept[at];
		}
		piece_costs(p, piece, t, cost);
		for (int i = 0; i < rows->n; i++) {
			double *sum = &memory[l->first_row[stage] + i];
			int at = i * p->chunks + piece / p->stages;

			for (int b = 0; b < p->net->nbodies; b++)
				*sum += mean[n * p->net->nbodies + b] *
				    row_parameter(p, stage, i, &p->net->body[b]);
			*sum += kept * rows->held[at] + activation * rows->live[at];
		}
	}
}
