#include "parallel.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "sapp-yaml/plan/degrees.h"

/* Set a number. MISSING: the meaning of an absent key; 0: none. */
static void
number(struct update *u, enum training_key key, int want, int missing)
{
	char *text = xasprintf("%d", want), *usual = missing > 0 ? xasprintf("%d", missing) : xstrdup("");

	update_word(u, key, text, usual);
	free(text);
	free(usual);
}

/* Set the batch. A micro-batch may be split into copies of equal size. */
static void
batch(struct update *u, int sequences)
{
	int copies = u->t->copies;

	if (sequences % copies != 0)
		place_die(u->t->place, "micro_batch_interleave_num: micro-batches of %d sequences cannot be divided "
		    "by '%d'", sequences, copies);
	number(u, TRAINING_BATCH, sequences / copies, 1);
}

/* Set how optimizer states are divided. */
static void
optimizer(struct update *u, const struct configuration *c)
{
	const struct yaml *size = training_value(u->t, TRAINING_SHARD);
	int over = size != NULL ? yaml_int(size, "optimizer_weight_shard_size", -1, 1 << 26) : -1, all = c->dp * c->cp;

	if (GIVEN(configuration, c, zero))
		update_word(u, TRAINING_OPTIMIZER, c->zero > 0 ? "True" : "False", "False");
	if (c->zero == 0)
		return;
	/* With only one micro-batch, its gradients are divided when they are computed. */
	if (GIVEN(configuration, c, zero) && c->micro_batches > 1)
		update_word(u, TRAINING_SCATTER, c->zero > 1 ? "True" : "False", "False");
	if (GIVEN(configuration, c, zero) && (c->zero > 1 || c->micro_batches == 1))
		update_word(u, TRAINING_GATHER, c->zero > 2 ? "True" : "False", "False");
	if (size == NULL ? c->shard != all : over > 0 ? c->shard != over : c->shard != all)
		number(u, TRAINING_SHARD, c->shard, 0);
}

/* Exit if the candidate has settings without a key. */
static void
check_said(const struct configuration *c, struct place at)
{
	const char *what = c->etp != 1 ? "etp: experts divided" :
	    c->dispatcher == DISPATCHER_FLEX ? "dispatcher: flex" : c->ep_overlap ? "ep_overlap" :
	    c->graph != GRAPH_NONE ? "graph" : c->store != configuration_plain.store ? "store" :
	    c->attention8 ? "attention8" : NULL;

	if (what != NULL)
		place_die(at, "candidate: %s: a training YAML of MindFormers has no key for it", what);
	if (c->fused & FUSED_MC2)
		place_die(at, "candidate: fused: a training YAML of MindFormers has no key for 'mc2': set "
		    "compute_communicate_fusion_level in the file of parallel_speed_up_json_path");
}

void
parallel_update(struct update *u, const struct configuration *c)
{
	check_said(c, u->place);
	number(u, TRAINING_DATA, c->dp, 0);
	number(u, TRAINING_MODEL, c->tp, 0);
	number(u, TRAINING_CONTEXT, c->cp, 1);
	number(u, TRAINING_EXPERT, c->ep, 1);
	if (c->cp > 1)
		update_word(u, TRAINING_CONTEXT_KIND, c->cp_kind == CONTEXT_ULYSSES ? "ulysses_cp" :
		    "colossalai_cp", "colossalai_cp");
	/* With tp 1, sequence parallelism has no effect. */
	if (GIVEN(configuration, c, sp) && c->tp > 1)
		update_word(u, TRAINING_SEQUENCE, c->sp ? "True" : "False", "False");
	if (GIVEN(configuration, c, fused))
		update_word(u, TRAINING_PERMUTE, c->fused & FUSED_PERMUTE ? "True" : "False", "False");
	batch(u, c->mbs);
	optimizer(u, c);
}

void
parallel_verify(const struct training *t, const struct configuration *c, const char *plan)
{
	struct configuration said;
	char *wrong;

	if (!degrees_of_yaml(&said, t->root))
		place_die(t->place, "not written: the degrees of the plan '%s' cannot be read back", plan);
	if (c->micro_batches == 1 && c->zero == 1 && said.zero == 2)
		said.zero = 1;
	wrong = degrees_difference(c, &said, false);
	if (wrong != NULL)
		place_die(t->place, "not written: the edited text would not have the degrees of the plan '%s': %s",
		    plan,
		    wrong);
}
