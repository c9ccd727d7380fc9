/* The model and layer records. */
#include "layer.h"

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
const struct fields model_fields = FIELDS(model, "model");

static const char *const layer_types[] = { "HEAD", "BODY", "TAIL", NULL };

/* The members of one kind of recomputation carry the names of the layer-description documents. */
#define KIND(k, mem, time, coefficient) \
	NAMED(mem, layer, memory[k], true, NONNEGATIVE), \
	NAMED(time, layer, backward[k], true, NONNEGATIVE), \
	NAMED(coefficient, layer, coef[k], true, NONNEGATIVE)

static const struct field layer_field[] = {
	REQUIRED(layer, name, ANY),
	CHOICE(layer, type, false, layer_types),
	OPTIONAL(layer, model_name, ANY),
	REQUIRED(layer, nb_layer, POSITIVE),
	OPTIONAL(layer, time, NONNEGATIVE),
	OPTIONAL(layer, forward_time, NONNEGATIVE),
	OPTIONAL(layer, busy_time, NONNEGATIVE),
	OPTIONAL(layer, memory_parameter, NONNEGATIVE),
	OPTIONAL(layer, memory_transient, NONNEGATIVE),
	KIND(RECOMPUTE_NONE, "memory_activation", "backward_time", "backward_coef"),
	KIND(RECOMPUTE_SELECT, "memory_select_rec", "select_rec_time", "select_rec_coef"),
	KIND(RECOMPUTE_COMM, "memory_select_comm", "select_comm_time", "select_comm_coef"),
	KIND(RECOMPUTE_BOTH, "memory_both_comm_select", "both_comm_select_time", "both_comm_select_coef"),
	KIND(RECOMPUTE_FULL, "memory_recompute", "recompute_time", "recompute_coef"),
};
const struct fields layer_fields = FIELDS(layer, "layer");

void
model_check(const struct model *m, struct place at)
{
	overhead_check(m->overhead, m->overhead_early, 0, "model", at);
}

void
layer_check(const struct layer *l, struct place at)
{
	if (l->nb_layer > 100000)
		place_die(at, "layer: nb_layer: more than 100000 '%d'", l->nb_layer);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (GIVEN(layer, l, backward[k]) && GIVEN(layer, l, coef[k]))
			place_die(at, "layer: '%s' has both a backward time and a coefficient for recomputation '%s'",
			    l->name, recompute_names[k]);
}
