/* Degrees in the words of a training YAML. */
#include "parallel.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "sapp-yaml/degrees.h"

/* MISSING: what not being there means, 0: nothing. */
static void
number(const struct update *u, enum training_key key, int want, int missing, struct missing *m)
{
	char *text = xasprintf("%d", want), *usual = missing > 0 ? xasprintf("%d", missing) : xstrdup("");

	value_update_word(u, key, text, usual, m);
	free(text);
	free(usual);
}

/* Sequences of a micro-batch may be worked on in turns: each turn has as many. */
static void
batch(const struct update *u, int sequences, struct missing *m)
{
	const struct yaml *node = yaml_get(u->t->root, "micro_batch_interleave_num");
	int turns = node != NULL && !yaml_is_null(node) ? yaml_int(node, "micro_batch_interleave_num", 1, 1000) : 1;

	if (sequences % turns != 0)
		place_die(node->place, "micro_batch_interleave_num: micro-batches of %d sequences cannot be divided "
		    "by '%d'", sequences, turns);
	number(u, TRAINING_BATCH, sequences / turns, 1, m);
}

/* Weights' states over devices. */
static void
optimizer(const struct update *u, const struct configuration *c, struct missing *m)
{
	const struct yaml *size = training_value(u->t, TRAINING_SHARD);
	int over = size != NULL ? yaml_int(size, "optimizer_weight_shard_size", -1, 1 << 26) : -1, all = c->dp * c->cp;

	if (c->zero > 1)
		place_die(u->place, "candidate: zero: a training YAML of MindFormers has 0 or 1, not '%d'", c->zero);
	if (GIVEN(configuration, c, zero))
		value_update_word(u, TRAINING_OPTIMIZER, c->zero > 0 ? "True" : "False", "False", m);
	if (c->zero == 0)
		return;
	if (size == NULL ? c->shard != all : over > 0 ? c->shard != over : c->shard != all)
		number(u, TRAINING_SHARD, c->shard, 0, m);
}

void
parallel_update(const struct update *u, const struct configuration *c, struct missing *m)
{
	const struct yaml *sequence = training_value(u->t, TRAINING_SEQUENCE);
	bool divided = sequence != NULL && yaml_bool(sequence, "use_seq_parallel") && c->tp > 1;

	if (c->etp != 1)
		place_die(u->place, "candidate: etp: a training YAML of MindFormers has no word for '%d'", c->etp);
	number(u, TRAINING_DATA, c->dp, 0, m);
	number(u, TRAINING_MODEL, c->tp, 0, m);
	number(u, TRAINING_CONTEXT, c->cp, 1, m);
	number(u, TRAINING_EXPERT, c->ep, 1, m);
	if (c->cp > 1)
		value_update_word(u, TRAINING_CONTEXT_KIND, c->cp_kind == CONTEXT_ULYSSES ? "ulysses_cp" :
		    "colossalai_cp", "colossalai_cp", m);
	/* Not being there is not the same to all who read it. */
	if (GIVEN(configuration, c, sp) && (c->sp != divided || (sequence == NULL && c->tp > 1)))
		value_update_word(u, TRAINING_SEQUENCE, c->sp ? "True" : "False", "", m);
	if (c->fused & FUSED_MC2)
		place_die(u->place, "candidate: fused: a training YAML of MindFormers has no word for 'mc2': "
		    "compute_communicate_fusion_level stands in the file that parallel_speed_up_json_path names");
	if (GIVEN(configuration, c, fused))
		value_update_word(u, TRAINING_PERMUTE, c->fused & FUSED_PERMUTE ? "True" : "False", "False", m);
	batch(u, c->mbs, m);
	optimizer(u, c, m);
}

void
parallel_verify(const struct training *t, const struct configuration *c, const char *plan)
{
	struct configuration said;
	char *wrong;

	if (!degrees_of_yaml(&said, t->root))
		place_die(t->place, "not written: no degrees of the plan '%s' could be read back", plan);
	if (t->batch_size > 0)
		said.mbs = t->batch_size;
	wrong = degrees_difference(c, &said);
	if (wrong == NULL && GIVEN(configuration, c, fused) && said.fused != c->fused)
		wrong = xstrdup("fused operators");
	if (wrong != NULL)
		place_die(t->place, "not written: the edited text would not say the degrees of the plan '%s': %s", plan,
		    wrong);
}
