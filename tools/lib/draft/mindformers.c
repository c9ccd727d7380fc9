/* Reads MindFormers' training YAML: the model's configuration and the current run. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "layers.h"

enum { BATCH_MOST = 1 << 26, LAYERS_MAX = 100000 };

static const char *const usual[][2] = {
	{ "layers",
	    "model: model_config: num_layers, or in the config.json of pretrained_model_dir, "
	    "which can be named before this file" },
	{ "hidden_size", "model: model_config: hidden_size" },
	{ "num_heads", "model: model_config: num_heads (num_attention_heads)" },
	{ "ffn_size", "model: model_config: intermediate_size (multiple_of and ffn_dim_multiplier)" },
	{ "vocab_size", "model: model_config: vocab_size" },
	{ "seq_length", "model: model_config: seq_length" },
	{ "experts_per_token", "moe_config: num_experts_chosen" },
	{ "expert_ffn_size", "moe_config: moe_intermediate_size" },
	{ "qk_head_dim", "model: model_config: qk_nope_head_dim" },
	{ "rope_head_dim", "model: model_config: qk_rope_head_dim" },
	{ "v_head_dim", "model: model_config: v_head_dim" },
	{ NULL, NULL },
};

static const char *const usual_of_search[][2] = {
	{ "layers", "model: num_hidden_layers (n_layers, num_layers)" },
	{ "hidden_size", "model: hidden_size (dim)" },
	{ "num_heads", "model: num_attention_heads (n_heads, num_heads)" },
	{ "ffn_size", "model: intermediate_size (inter_dim)" },
	{ "vocab_size", "model: vocab_size" },
	{ "seq_length", "model: max_position_embeddings (seq_len, seq_length)" },
	{ "experts_per_token", "model: num_experts_per_tok" },
	{ "expert_ffn_size", "model: moe_intermediate_size (moe_inter_dim)" },
	{ "qk_head_dim", "model: qk_nope_head_dim" },
	{ "rope_head_dim", "model: qk_rope_head_dim" },
	{ "v_head_dim", "model: v_head_dim" },
	{ NULL, NULL },
};

/* LlamaConfig's default without intermediate_size. */
static void
feed_forward(struct draft *d, struct bag *m)
{
	int unit = 256;
	double factor, size;

	TAKE(d, m, ffn_size, 1, "intermediate_size|ffn_hidden_size|inter_dim");
	bag_int(m, "multiple_of", 1, &unit);
	if (GIVEN(architecture, &d->net, ffn_size) || !GIVEN(architecture, &d->net, hidden_size))
		return;
	size = 4.0 * d->net.hidden_size;
	if (bag_real(m, "ffn_dim_multiplier", &factor))
		size = (long)((factor + 0.01) * size);
	size = (long)(2 * size / 3);
	SET(d, ffn_size, (int)(((long)size + unit - 1) / unit * unit));
}

static void
read_model(struct draft *d, struct bag *m)
{
	bool yes;
	double p = 0;

	TAKE(d, m, layers, 1, "num_layers|num_hidden_layers|n_layer|n_layers");
	TAKE(d, m, hidden_size, 1, "hidden_size|n_embed|dim");
	TAKE(d, m, num_heads, 1, "num_heads|num_attention_heads|n_head|n_heads");
	TAKE(d, m, kv_heads, 1, "n_kv_heads|num_key_value_heads|num_kv_heads|multi_query_group_num|num_query_groups");
	TAKE(d, m, head_dim, 1, "head_dim|kv_channels");
	TAKE(d, m, vocab_size, 1, "padded_vocab_size|vocab_size");
	TAKE(d, m, seq_length, 1, "seq_length|max_position_embeddings|max_position_embedding|seq_len");
	TAKE(d, m, mtp_layers, 0, "mtp_depth|num_nextn_predict_layers|mtp_num_layers");
	feed_forward(d, m);
	if (bag_bool(m, "tie_word_embeddings|tie_emb_prj|is_share_embedding", &yes) && yes)
		SET(d, tied, true);
	if (bag_bool(m, "qkv_has_bias|add_qkv_bias|attention_bias", &yes) && yes)
		SET(d, bias, BIAS_QKV);
	if (bag_bool(m, "use_qk_norm|qk_layernorm", &yes) && yes)
		SET(d, qk_norm, true);
	if (bag_bool(m, "use_flash_attention", &yes) && !yes)
		SET(d, flash, false);
	if (bag_real(m, "hidden_dropout|hidden_dropout_prob|attention_dropout|emb_dropout_prob|dropout", &p) && p > 0)
		SET(d, dropout, true);
	TAKE(d, m, kv_lora_rank, 0, "kv_lora_rank");
	if (d->net.kv_lora_rank > 0) {
		TAKE(d, m, q_lora_rank, 0, "q_lora_rank");
		TAKE(d, m, qk_head_dim, 1, "qk_nope_head_dim|qk_head_dim");
		TAKE(d, m, rope_head_dim, 0, "qk_rope_head_dim|qk_pos_emb_head_dim");
		TAKE(d, m, v_head_dim, 1, "v_head_dim");
		/* With latent attention heads of keys have no meaning. */
		d->net.kv_heads = d->net.num_heads;
	}
}

static void
read_experts(struct draft *d, struct bag *m)
{
	int shared = 0, first;
	bool yes;

	TAKE(d, m, experts, 0, "expert_num|n_routed_experts|num_moe_experts|num_experts");
	if (d->net.experts <= 1) {
		/* MindFormers writes no experts as one expert. */
		d->net.experts = 0;
		d->net.given &= ~field_bit(&architecture_fields, offsetof(struct architecture, experts));
		return;
	}
	TAKE(d, m, experts_per_token, 1, "num_experts_chosen|num_experts_per_tok|moe_router_topk");
	TAKE(d, m, expert_ffn_size, 1, "moe_intermediate_size|moe_ffn_hidden_size|moe_inter_dim");
	if (!GIVEN(architecture, &d->net, expert_ffn_size) && d->net.ffn_size > 0)
		SET(d, expert_ffn_size, d->net.ffn_size);
	if (bag_int(m, "shared_expert_num|n_shared_experts|num_shared_experts", 0, &shared) && shared > 0)
		SET(d, shared_ffn_size, shared * d->net.expert_ffn_size);
	TAKE(d, m, shared_ffn_size, 0, "moe_shared_expert_intermediate_size");
	if (bag_int(m, "first_k_dense_replace", 0, &first) && first > 0)
		SET(d, dense_layers, first);
	if (bag_bool(m, "balance_via_topk_bias|moe_router_enable_expert_bias", &yes) && yes)
		SET(d, router_bias, true);
}

/* Return the recomputation: all layers, none, or by stage, which requires a plan. */
static int
recomputation(struct bag *r)
{
	const struct setting *s = bag_find(r, "recompute");
	bool full = false, select = false;

	if (s != NULL && s->text == NULL)
		return KEEP_FIRST;
	if (s != NULL && s->node != NULL && yaml_is_bool(s->node))
		bag_bool(r, "recompute", &full);
	s = bag_find(r, "select_recompute");
	if (s != NULL && s->text == NULL)
		return KEEP_FIRST;
	if (s != NULL && s->node != NULL && yaml_is_bool(s->node))
		bag_bool(r, "select_recompute", &select);
	return full ? KEEP_FULL : select ? KEEP_SELECT : KEEP_ALL;
}

/* Read adapters: "pet_config: {pet_type: lora, lora_rank: 16, target_modules: '.*wq|.*wv'}". */
static void
read_adapters(struct draft *d, const struct yaml *config)
{
	struct bag b = { 0 };
	const struct yaml *modules = yaml_get(config, "target_modules");
	const char *type;

	if (config == NULL || yaml_is_null(config))
		return;
	b.place = config->place;
	bag_put_map(&b, config);
	type = bag_text(&b, "pet_type");
	if (type != NULL && strcmp(type, "lora") != 0)
		place_die(config->place, "pet_config: only lora is known, not '%s'", type);
	if (!bag_int(&b, "lora_rank", 1, &d->adapters.rank))
		place_die(config->place, "pet_config: no lora_rank");
	if (modules != NULL && modules->type != YAML_SCALAR)
		place_die(modules->place, "target_modules: not a text");
	if (modules != NULL && !yaml_is_null(modules))
		d->adapters.modules = xstrdup(modules->text);
	bag_free(&b);
}

/*
 * Read sequences per micro-batch, which may be split into overlapping copies, and micro-batches: with a pipeline from
 * parallel_config, else steps of gradient accumulation (mindformers trainer/base_trainer.py at fd4deebc:
 * _check_global_batch_size_for_auto_parallel, _check_grad_accumulation_steps).
 */
static void
read_batch(struct draft *d, const struct yaml *root, struct bag *p, struct bag *m)
{
	struct configuration *c = &d->current;
	struct bag runner = { 0 }, top = { 0 };
	int copies = 1, steps = 1, parts = 1;

	bag_put_map(&runner, yaml_get(root, "runner_config"));
	bag_put_map(&top, root);
	bag_int(&runner, "batch_size", 1, &c->mbs);
	bag_int(&top, "micro_batch_interleave_num", 1, &copies);
	bag_int(&runner, "gradient_accumulation_steps", 1, &steps);
	if (c->mbs > BATCH_MOST / copies)
		place_die(root->place, "batch_size times micro_batch_interleave_num: more than %d '%d'", BATCH_MOST,
		    copies);
	GIVE(configuration, c, mbs, c->mbs * copies);
	bag_int(m, "fine_grain_interleave", 0, &parts);
	d->copies = copies > parts ? copies : parts;
	c->micro_batches = 1;
	if (c->pp > 1)
		bag_int(p, "micro_batch_num", 1, &c->micro_batches);
	else
		c->micro_batches = steps;
	if (c->pp > 1 && steps > 1)
		place_die(bag_find(&runner, "gradient_accumulation_steps")->place, "gradient_accumulation_steps: not "
		    "beside pipeline_stage %d, whose micro-batches micro_batch_num says '%d'", c->pp, steps);
	bag_free(&runner);
	bag_free(&top);
}

/*
 * Return the ZeRO level of a divided optimizer. MindSpore keeps slices of weights and states, and gathers weights
 * before use. They stay until the backward unless parallel_optimizer_comm_recompute gathers them again, which
 * MindFormers calls zero3 (models/glm2/glm2.py at fd4deebc). Accumulated gradients are whole unless
 * gradient_accumulation_shard divides them (trainer/config_args.py); a single micro-batch accumulates none.
 */
static int
level_of(struct bag *optimizer, struct bag *recompute, int micro_batches)
{
	bool scattered = false, again = false;

	bag_bool(optimizer, "gradient_accumulation_shard", &scattered);
	bag_bool(recompute, "parallel_optimizer_comm_recompute", &again);
	scattered |= micro_batches == 1;
	return scattered && again ? 3 : scattered ? 2 : 1;
}

/* Read the layers of each stage, if offsets make them uneven: a number a stage, in a list for each chunk. */
static void
read_offset(struct draft *d, struct bag *m)
{
	struct configuration *c = &d->current;
	const struct setting *s = bag_find(m, "offset");
	const struct yaml *list = s != NULL && s->node != NULL && s->node->type == YAML_LIST ? s->node : NULL;
	bool nested = list != NULL && list->n > 0 && list->item[0]->type == YAML_LIST;
	int chunks = nested ? list->n : 1, all = d->net.layers + d->net.mtp_layers, sum = 0;
	struct grid stages;

	if (list == NULL || c->pp == 1)
		return;
	stages = grid_new(1, c->pp);
	for (int v = 0; v < chunks; v++) {
		const struct yaml *row = nested ? list->item[v] : list;

		for (int i = 0; i < c->pp; i++)
			stages.at[i] += d->net.layers / (c->pp * chunks);
		for (int i = 0; row->type == YAML_LIST && i < row->n && i < c->pp; i++)
			stages.at[i] += yaml_int(row->item[i], "offset", -LAYERS_MAX, LAYERS_MAX);
	}
	for (int i = 0; i < c->pp; i++)
		sum += stages.at[i];
	/* Offsets may count layers that predict further tokens, which the stages here exclude. */
	if (sum == all && d->net.mtp_layers > 0)
		stages.at[c->pp - 1] -= d->net.mtp_layers;
	if (sum == d->net.layers || sum == all) {
		GIVE(configuration, c, stage_layers, stages);
		return;
	}
	place_warn(s->place, "offset: makes %d layers of %d: the candidate has an even split", sum, d->net.layers);
	free(stages.at);
}

enum { SMALL = 64 };	/* KB, default of parallel_optimizer_threshold; only norms are smaller */

/* Parameters below the threshold are not divided. */
static void
check_threshold(const struct yaml *root)
{
	static const char name[] = "parallel_optimizer_threshold";
	const struct yaml *n = yaml_get(yaml_get(yaml_get(root, "parallel"), "parallel_optimizer_config"), name);

	if (n != NULL && yaml_int(n, name, 0, INT_MAX) > SMALL)
		place_warn(n->place, "%s: parameters below %d KB are not divided by the optimizer, which memory does "
		    "not count: %d leaves out norms alone", name, yaml_int(n, name, 0, INT_MAX), SMALL);
}

/* ALONE: only the degrees are read, without the network; lists of recomputation then do not belong to the candidate. */
static void
read_degrees(struct draft *d, struct bag *p, struct bag *m, const struct yaml *root, bool alone)
{
	struct configuration *c = &d->current;
	struct bag parallel = { 0 }, again = { 0 };
	const char *algorithm = bag_text(p, "context_parallel_algo");
	bool yes;

	if (!bag_int(p, "data_parallel", 1, &c->dp) || !bag_int(p, "model_parallel", 1, &c->tp))
		return;
	c->pp = c->cp = c->ep = c->vp = c->mbs = 1;
	bag_int(p, "pipeline_stage", 1, &c->pp);
	bag_int(p, "context_parallel", 1, &c->cp);
	bag_int(p, "expert_parallel", 1, &c->ep);
	GIVE(configuration, c, cp, c->cp);
	if (algorithm != NULL && strcmp(algorithm, "ulysses_cp") == 0)
		GIVE(configuration, c, cp_kind, CONTEXT_ULYSSES);
	GIVE(configuration, c, ep, c->ep);
	yes = false;
	if (bag_bool(m, "use_fused_ops_permute|moe_permute_fusion", &yes) && yes &&
	    configuration_fusable(c, d->net.experts > 0) & FUSED_PERMUTE)
		GIVE(configuration, c, fused, FUSED_PERMUTE);
	yes = false;	/* default of TransformerOpParallelConfig */
	bag_bool(p, "use_seq_parallel", &yes);
	GIVE(configuration, c, sp, yes && c->tp > 1);
	if (bag_int(m, "pp_interleave_num", 1, &c->vp) && c->pp > 1)
		GIVE(configuration, c, vp, c->vp);
	read_batch(d, root, p, m);
	bag_put_map(&parallel, yaml_get(root, "parallel"));
	yes = false;
	bag_bool(&parallel, "enable_parallel_optimizer", &yes);
	bag_free(&parallel);
	bag_put_map(&parallel, yaml_get(yaml_get(root, "parallel"), "parallel_optimizer_config"));
	bag_put_map(&again, yaml_get(root, "recompute_config"));
	GIVE(configuration, c, zero, yes ? level_of(&parallel, &again, c->micro_batches) : 0);
	if (yes)
		check_threshold(root);
	if (yes && bag_int(&parallel, "optimizer_weight_shard_size", -1, &c->shard) && c->shard > 0 &&
	    (c->dp * c->cp) % c->shard == 0)
		GIVE(configuration, c, shard, c->shard);
	if (recomputation(&again) != KEEP_FIRST)
		GIVE(configuration, c, recompute, recomputation(&again));
	else if (!alone)
		place_warn(again.at[0].place, "recompute_config: the candidate does not say which layers are "
		    "recomputed; the plan of sapp-yaml -r does");
	read_offset(d, m);
	bag_free(&again);
	bag_free(&parallel);
}

static const struct {
	const char *key;
	enum search_file kind;
} of_search[] = {
	{ "parallelism", SEARCH_SAPP_ND }, { "constraint", SEARCH_SAPP_ND }, { "pp_config", SEARCH_SAPP_ND },
	{ "train_yaml", SEARCH_SAPP_ND }, { "hardware", SEARCH_DENSE_TUNER }, { "search_space", SEARCH_DENSE_TUNER },
	{ "constraints", SEARCH_DENSE_TUNER },
};

enum search_file
search_file_kind(const struct yaml *root)
{
	/* Jobs of sapp-search also have hardware, and a file as their model. */
	for (int i = 0; i < root->n; i++)
		if (strcmp(root->key[i], "model") == 0 && root->item[i]->type == YAML_SCALAR)
			return SEARCH_NONE;
	for (size_t k = 0; k < sizeof of_search / sizeof *of_search; k++)
		if (yaml_find(root, of_search[k].key) >= 0)
			return of_search[k].kind;
	return SEARCH_NONE;
}

static void
put_whole(struct bag *m, const char *name, long long number)
{
	char *text = xasprintf("%lld", number);

	bag_put(m, name, text, m->place);
	free(text);
}

/* Handle figures of a search file's network that differ from a training YAML. */
static void
search_file_model(struct draft *d, struct bag *m, enum search_file kind)
{
	const char *name = bag_text(m, "name|model_name");
	bool yes;
	int n = 0;

	if (name != NULL)
		d->net.name = xstrdup(name);
	if (bag_bool(m, "moe_enabled", &yes) && !yes) {
		bag_find(m, "num_experts_per_tok|num_shared_experts|moe_inter_dim|moe_intermediate_size|"
		    "first_k_dense_replace");
		bag_put(m, "num_experts", "0", m->place);
	}
	/* Settings of the search, and usual numbers of bytes. */
	bag_find(m, "local_batch_size|offset|compute_dtype|param_init_type|softmax_compute_type|precision_bytes");
	if (kind != SEARCH_DENSE_TUNER)
		return;
	/* dense_tuner: 0 heads of keys means all heads; 0 width means 4 times. */
	if (bag_int(m, "num_kv_heads", 0, &n) && n == 0)
		put_whole(m, "num_kv_heads", bag_int(m, "num_heads", 1, &n) ? n : 1);
	n = 0;
	bag_int(m, "intermediate_size", 0, &n);
	if (n == 0 && bag_int(m, "hidden_size", 1, &n))
		put_whole(m, "intermediate_size", 4LL * n);
	if (bag_find(m, "tie_word_embeddings") == NULL)
		SET(d, tied, true);
}

void
mindformers_read(struct draft *d, const struct yaml *root, const struct formulas *formulas)
{
	struct bag model = { .place = root->place }, degrees = { 0 };
	enum search_file kind = search_file_kind(root);
	const struct yaml *shape = yaml_get(root, "model"), *trainer = yaml_get(root, "trainer"), *name;

	d->usual = kind != SEARCH_NONE ? usual_of_search : usual;
	if (kind != SEARCH_NONE) {
		bag_put_map(&model, shape);
		search_file_model(d, &model, kind);
		read_model(d, &model);
		read_experts(d, &model);
		draft_name_unknown(&model, "a key of model");
		bag_free(&model);
		return;
	}
	/* Experts may be next to the model's configuration or in it. */
	bag_put_map(&model, yaml_get(shape, "model_config"));
	bag_put_map(&model, yaml_get(root, "moe_config"));
	bag_put_map(&degrees, yaml_get(root, "parallel_config"));
	read_model(d, &model);
	read_experts(d, &model);
	read_adapters(d, yaml_get(yaml_get(shape, "model_config"), "pet_config"));
	/* Settings that may differ between layers. */
	if (bag_find(&model, "moe_layer_freq|layer_types|window_size|sliding_window|full_attention_interval|"
	    "experimental_attention_variant|use_shared_expert_gating|index_topk") != NULL)
		layers_of_options(d, &model, formulas, "mindformers");
	read_degrees(d, &degrees, &model, root, formulas == NULL);
	name = yaml_get(trainer, "model_name");
	if (name != NULL && name->type == YAML_SCALAR && *name->text != '\0')
		d->net.name = xstrdup(name->text);
	bag_free(&degrees);
	bag_free(&model);
}
