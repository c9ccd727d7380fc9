/* Layer records that were measured. */
#include "layers.h"

#include <string.h>

#include "lib/base/place.h"

#define MEGA 1048576.0
#define MILLI 1e-3

/* By its name, or by how many there are. */
static enum layer_kind
kind_of(const struct layer *l, const struct architecture *n, struct place at)
{
	int moe = architecture_moe_before(n, n->layers), dense = n->layers - moe;

	if (moe == 0 || dense == 0)
		return moe == 0 ? KIND_DENSE : KIND_MOE;
	if (strcasestr(l->name, "moe") != NULL || strcasestr(l->name, "expert") != NULL)
		return KIND_MOE;
	if (strcasestr(l->name, "dense") != NULL)
		return KIND_DENSE;
	if (l->nb_layer != moe && l->nb_layer != dense)
		place_die(at, "layer: neither its name nor nb_layer %d says whether it is one of %d dense layers or %d "
		    "mixtures '%s'", l->nb_layer, dense, moe, l->name);
	return l->nb_layer == moe ? KIND_MOE : KIND_DENSE;
}

void
layers_take(struct measured *m, const struct layer *l, const struct architecture *n, struct place at)
{
	static const enum recompute from[] = { RECOMPUTE_NONE, RECOMPUTE_SELECT, RECOMPUTE_FULL };
	struct measured_layer *to = l->type == LAYER_HEAD ? &m->head : l->type == LAYER_TAIL ? &m->tail :
	    &m->layer[kind_of(l, n, at)];

	if (GIVEN(layer, l, forward_time) || GIVEN(layer, l, time))
		to->forward = MILLI * (GIVEN(layer, l, forward_time) ? l->forward_time : l->time);
	if (GIVEN(layer, l, backward[RECOMPUTE_NONE]))
		to->backward = MILLI * l->backward[RECOMPUTE_NONE];
	for (int k = KEEP_ALL; k <= KEEP_FULL; k++) {
		if (GIVEN(layer, l, memory[from[k]]))
			to->memory[k] = MEGA * l->memory[from[k]];
		if (k > KEEP_ALL && GIVEN(layer, l, backward[from[k]]) && GIVEN(layer, l, backward[RECOMPUTE_NONE]) &&
		    l->backward[from[k]] >= l->backward[RECOMPUTE_NONE])
			to->again[k] = MILLI * (l->backward[from[k]] - l->backward[RECOMPUTE_NONE]);
	}
}
