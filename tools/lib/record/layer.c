#include "layer.h"

#include <string.h>

#include "overhead.h"

static const struct field model_field[] = {
	REQUIRED(model, name, ANY),
	OPTIONAL(model, stage_const_mem, ANY),
	OPTIONAL(model, overhead, NONNEGATIVE),
	OPTIONAL(model, overhead_early, NONNEGATIVE),
	OPTIONAL(model, seq_length, POSITIVE),
	OPTIONAL(model, hidden_size, POSITIVE),
	OPTIONAL(model, num_heads, POSITIVE),
	OPTIONAL(model, vocab_size, POSITIVE),
	OPTIONAL(model, batch_size, POSITIVE),
	OPTIONAL(model, model_parallel, POSITIVE),
	OPTIONAL(model, intermediate_size, POSITIVE),
};
const struct fields model_fields = EXACT_FIELDS(model, "model");

static const char *const layer_types[] = { "HEAD", "BODY", "TAIL", NULL };

/* The built-in kinds have members named as in layer-description documents. */
#define KIND(k, mem, time, coefficient) \
	NAMED(mem, layer, memory[k], true, NONNEGATIVE), \
	NAMED(time, layer, backward[k], true, NONNEGATIVE), \
	NAMED(coefficient, layer, coef[k], true, NONNEGATIVE)

static const struct field kind_figures_field[] = {
	OPTIONAL(kind_figures, activation, NONNEGATIVE),
	OPTIONAL(kind_figures, backward_time, NONNEGATIVE),
	OPTIONAL(kind_figures, backward_coef, NONNEGATIVE),
	OPTIONAL(kind_figures, offload, NONNEGATIVE),
	OPTIONAL(kind_figures, weight_time, NONNEGATIVE),
	OPTIONAL(kind_figures, weight_activation, NONNEGATIVE),
};
const struct fields kind_figures_fields = FIELDS(kind_figures, "kinds");

static const struct field layer_field[] = {
	REQUIRED(layer, name, ANY),
	CHOICE(layer, type, false, layer_types),
	OPTIONAL(layer, model_name, ANY),
	REQUIRED(layer, nb_layer, POSITIVE),
	OPTIONAL(layer, bound, ANY),
	OPTIONAL(layer, time, NONNEGATIVE),
	OPTIONAL(layer, forward_time, NONNEGATIVE),
	OPTIONAL(layer, busy_time, NONNEGATIVE),
	OPTIONAL(layer, time_error, NONNEGATIVE),
	OPTIONAL(layer, memory_parameter, NONNEGATIVE),
	OPTIONAL(layer, memory_transient, NONNEGATIVE),
	OPTIONAL(layer, memory_floor, NONNEGATIVE),
	OPTIONAL(layer, weight_time, NONNEGATIVE),
	OPTIONAL(layer, weight_activation, NONNEGATIVE),
	KIND(RECOMPUTE_NONE, "memory_activation", "backward_time", "backward_coef"),
	KIND(RECOMPUTE_SELECT, "memory_select_rec", "select_rec_time", "select_rec_coef"),
	KIND(RECOMPUTE_COMM, "memory_select_comm", "select_comm_time", "select_comm_coef"),
	KIND(RECOMPUTE_BOTH, "memory_both_comm_select", "both_comm_select_time", "both_comm_select_coef"),
	KIND(RECOMPUTE_FULL, "memory_recompute", "recompute_time", "recompute_coef"),
	NESTED(FIELD_MAP, layer, kinds, true, &kind_figures_fields),
};
const struct fields layer_fields = FIELDS(layer, "layer");

void
model_check(const struct model *m, struct place at)
{
	overhead_check(m->overhead, m->overhead_early, 0, "model", at);
}

static const struct kind_figures *
named(const struct layer *l, int kind)
{
	const struct kind_figures *at = l->kinds.at;

	for (int i = 0; i < l->kinds.n; i++)
		if (strcmp(at[i].name, recompute_names[kind]) == 0)
			return &at[i];
	return NULL;
}

struct kind_figures
layer_figures(const struct layer *l, int kind)
{
	const struct kind_figures *by_name = recompute_names[kind] != NULL ? named(l, kind) : NULL;
	struct kind_figures all = { 0 };

	if (by_name != NULL)
		all = *by_name;
	if (kind >= RECOMPUTE_BUILT_IN)
		return all;
	if (GIVEN(layer, l, memory[kind]))
		GIVE(kind_figures, &all, activation, l->memory[kind]);
	if (GIVEN(layer, l, backward[kind]))
		GIVE(kind_figures, &all, backward_time, l->backward[kind]);
	if (GIVEN(layer, l, coef[kind]))
		GIVE(kind_figures, &all, backward_coef, l->coef[kind]);
	return all;
}

/* Exit if both a member of the layer (ONE) and its list of kinds (OTHER) give the figure WHAT of kind K. */
static void
twice_check(const struct layer *l, int k, bool one, bool other, const char *what, struct place at)
{
	if (one && other)
		place_die(at, "layer: kinds: '%s' of '%s' has %s that another member also gives",
		    recompute_names[k], l->name, what);
}

static void
kinds_check(const struct layer *l, struct place at)
{
	const struct kind_figures *of = l->kinds.at;

	if (l->kinds.n > 0 && l->type != LAYER_BODY)
		place_die(at, "layer: kinds: only for a BODY layer, not for '%s'", l->name);
	for (int i = 0; i < l->kinds.n; i++) {
		int k = recompute_kind(of[i].name, at);
		bool timed = GIVEN(kind_figures, &of[i], backward_time) || GIVEN(kind_figures, &of[i], backward_coef);

		if (GIVEN(kind_figures, &of[i], backward_time) && GIVEN(kind_figures, &of[i], backward_coef))
			place_die(at, "layer: kinds: '%s' of '%s' has both a backward_time and a backward_coef",
			    of[i].name, l->name);
		if (k < RECOMPUTE_BUILT_IN) {
			twice_check(l, k, GIVEN(kind_figures, &of[i], activation), GIVEN(layer, l, memory[k]),
			    "an activation", at);
			twice_check(l, k, timed, GIVEN(layer, l, backward[k]) || GIVEN(layer, l, coef[k]),
			    "a backward time", at);
			continue;
		}
		if (!timed && of[i].offload == 0)
			place_die(at, "layer: kinds: '%s' of '%s' has neither a backward_time nor a backward_coef",
			    of[i].name, l->name);
		if (!GIVEN(kind_figures, &of[i], activation))
			place_die(at, "layer: kinds: '%s' of '%s' has no activation", of[i].name, l->name);
	}
}

void
layer_check(const struct layer *l, struct place at)
{
	if (l->nb_layer > 100000)
		place_die(at, "layer: nb_layer: above 100000 '%d'", l->nb_layer);
	if (GIVEN(layer, l, bound) && l->type == LAYER_BODY)
		place_die(at, "layer: bound: only for a HEAD or TAIL layer, not for the BODY layer '%s'", l->name);
	if (GIVEN(layer, l, weight_activation) && l->type != LAYER_BODY)
		place_die(at, "layer: weight_activation: only for a BODY layer, not for '%s'", l->name);
	if (l->time_error > 1)
		place_die(at, "layer: time_error: a fraction above 1 '%g'", l->time_error);
	kinds_check(l, at);
	for (int k = 0; k < RECOMPUTE_BUILT_IN; k++)
		if (GIVEN(layer, l, backward[k]) && GIVEN(layer, l, coef[k]))
			place_die(at, "layer: '%s' has both a backward time and a coefficient for recomputation '%s'",
			    l->name, recompute_names[k]);
}
