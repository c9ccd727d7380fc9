#include "layers.h"

#include <math.h>
#include <string.h>

#include "lib/base/place.h"

#define MEGA 1048576.0
#define MILLI 1e-3

int
layers_kind(const char *name, int count, const struct architecture *n)
{
	int moe = architecture_moe_before(n, n->layers), dense = n->layers - moe, named = -1;
	bool layer = strcasestr(name, "layer") != NULL || strcasestr(name, "block") != NULL;

	/* Layers of a question are named by class and number of the layer. */
	for (int k = 0; k < n->classes.n && n->pattern.n > 0; k++) {
		size_t length = strlen(architecture_class(n, k)->name);

		if (strncmp(name, architecture_class(n, k)->name, length) == 0 &&
		    name[length + strspn(name + length, "0123456789")] == '\0')
			named = k;
	}
	if (n->pattern.n > 0)
		return named >= 0 ? named : n->classes.n == 1 && (layer || count == n->layers) ? 0 : -1;
	if (moe > 0 && (strcasestr(name, "moe") != NULL || strcasestr(name, "expert") != NULL))
		return KIND_MOE;
	if (dense > 0 && strcasestr(name, "dense") != NULL)
		return KIND_DENSE;
	if (moe == 0 || dense == 0)
		return layer || count == n->layers ? (moe == 0 ? KIND_DENSE : KIND_MOE) : -1;
	if (count == moe || count == dense)
		return count == moe ? KIND_MOE : KIND_DENSE;
	return -1;
}

/* Return the class of a BODY layer. If the network has one kind of layer, it is this kind. */
static int
class_of(const struct layer *l, const struct architecture *n, struct place at)
{
	int moe = architecture_moe_before(n, n->layers), dense = n->layers - moe;
	int kind = n->pattern.n == 0 && (moe == 0 || dense == 0) ? (moe == 0 ? KIND_DENSE : KIND_MOE) :
	    layers_kind(l->name, l->nb_layer, n);

	if (kind < 0 && n->pattern.n > 0)
		place_die(at, "layer: no class of the network has this name '%s'", l->name);
	if (kind < 0)
		place_die(at, "layer: neither its name nor nb_layer %d shows whether it is one of the %d dense layers "
		    "or of the %d mixtures of experts '%s'", l->nb_layer, dense, moe, l->name);
	return kind;
}

/* Return the backward with a kind of recomputation, ms, from its time or its coefficient; below 0: neither is given. */
static double
backward_of(const struct layer *l, enum recompute kind)
{
	double forward = GIVEN(layer, l, time) ? l->time : GIVEN(layer, l, forward_time) ? l->forward_time : -1;

	if (GIVEN(layer, l, backward[kind]))
		return l->backward[kind];
	return GIVEN(layer, l, coef[kind]) && forward >= 0 ? 2 * forward * (1 + l->coef[kind]) : -1;
}

/* Add a layer of an end, which may have several layers. */
static void
end_take(struct measured_layer *to, const struct layer *l)
{
	double backward = backward_of(l, RECOMPUTE_NONE);

	if (GIVEN(layer, l, forward_time) || GIVEN(layer, l, time))
		to->forward = fmax(to->forward, 0) +
		    MILLI * (GIVEN(layer, l, forward_time) ? l->forward_time : l->time);
	if (backward >= 0)
		to->backward = fmax(to->backward, 0) + MILLI * backward;
}

/* Update *X, the mean over *OF layers, with the N layers of a record. */
static void
mean_take(double *x, double *of, double value, int n)
{
	*x = *of > 0 ? (*of * *x + n * value) / (*of + n) : value;
	*of += n;
}

/* Several records of a kind may be for some of its layers each, or for several runs. Their mean gives the same step. */
void
layers_take(struct measured *m, const struct layer *l, const struct architecture *n, struct place at)
{
	static const enum recompute from[] = { RECOMPUTE_NONE, RECOMPUTE_SELECT, RECOMPUTE_FULL };
	struct measured_layer *to;

	if (l->type != LAYER_BODY) {
		end_take(l->type == LAYER_HEAD ? &m->head : &m->tail, l);
		return;
	}
	to = &m->layer[class_of(l, n, at)];
	if (GIVEN(layer, l, forward_time) || GIVEN(layer, l, time))
		mean_take(&to->forward, &to->of.forward,
		    MILLI * (GIVEN(layer, l, forward_time) ? l->forward_time : l->time), l->nb_layer);
	if (backward_of(l, RECOMPUTE_NONE) >= 0)
		mean_take(&to->backward, &to->of.backward, MILLI * backward_of(l, RECOMPUTE_NONE), l->nb_layer);
	for (int k = KEEP_ALL; k <= KEEP_FULL; k++) {
		double again = backward_of(l, from[k]) - fmax(backward_of(l, RECOMPUTE_NONE), 0);

		if (GIVEN(layer, l, memory[from[k]]))
			mean_take(&to->memory[k], &to->of.memory[k], MEGA * l->memory[from[k]], l->nb_layer);
		if (k > KEEP_ALL && GIVEN(layer, l, coef[from[k]]) && !GIVEN(layer, l, backward[from[k]]) &&
		    backward_of(l, RECOMPUTE_NONE) < 0 && GIVEN(layer, l, time))
			mean_take(&to->again[k], &to->of.again[k], MILLI * 2 * l->time * l->coef[from[k]], l->nb_layer);
		else if (k > KEEP_ALL && backward_of(l, from[k]) >= 0 && backward_of(l, RECOMPUTE_NONE) >= 0 &&
		    again >= 0)
			mean_take(&to->again[k], &to->of.again[k], MILLI * again, l->nb_layer);
	}
}
