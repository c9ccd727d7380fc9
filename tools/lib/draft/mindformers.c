/* Read a training YAML of MindFormers: the configurations of the model and of the run. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "layers.h"

enum { BATCH_MOST = 1 << 26, LAYERS_MAX = 100000 };

/* If the width of the feed-forward is absent, put LlamaConfig's default into the bag. */
static void
put_feed_forward(struct bag *m)
{
	int unit = 256, h;
	double factor, size;
	char *text;

	if (bag_find(m, "intermediate_size|ffn_hidden_size|inter_dim") != NULL ||
	    !bag_int(m, "hidden_size|n_embed|dim", 1, &h))
		return;
	bag_int(m, "multiple_of", 1, &unit);
	size = 4.0 * h;
	if (bag_real(m, "ffn_dim_multiplier", &factor))
		size = (long)((factor + 0.01) * size);
	size = (long)(2 * size / 3);
	text = xasprintf("%ld", ((long)size + unit - 1) / unit * unit);
	bag_put(m, "intermediate_size", text, m->place);
	free(text);
}

/*
 * Return the recomputation: of all layers, or of none. Return KEEP_FIRST if it is given by stage, since a plan must
 * then state it.
 */
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

/* Read adapters such as "pet_config: {pet_type: lora, lora_rank: 16, target_modules: '.*wq|.*wv'}". */
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
		place_die(config->place, "pet_config: not lora, the only supported type '%s'", type);
	if (!bag_int(&b, "lora_rank", 1, &d->adapters.rank))
		place_die(config->place, "pet_config: no lora_rank");
	if (modules != NULL && modules->type != YAML_SCALAR)
		place_die(modules->place, "target_modules: expected text");
	if (modules != NULL && !yaml_is_null(modules))
		d->adapters.modules = xstrdup(modules->text);
	bag_free(&b);
}

/*
 * Read the number of sequences per micro-batch, which may be split into copies that overlap. Read the number of
 * micro-batches. With a pipeline it is in parallel_config, otherwise it is the number of steps of gradient
 * accumulation. Source: mindformers trainer/base_trainer.py at fd4deebc, _check_global_batch_size_for_auto_parallel,
 * _check_grad_accumulation_steps.
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
		place_die(root->place, "batch_size times micro_batch_interleave_num: above %d '%d'", BATCH_MOST,
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
		    "allowed with pipeline_stage %d, whose number of micro-batches is micro_batch_num '%d'", c->pp,
		    steps);
	bag_free(&runner);
	bag_free(&top);
}

/*
 * Return the ZeRO stage that equals a divided optimizer. MindSpore keeps slices of weights and states, and gathers the
 * weights before their use. Gathered weights stay until the backward, unless parallel_optimizer_comm_recompute gathers
 * them again, which MindFormers calls zero3 (models/glm2/glm2.py at fd4deebc). Accumulated gradients are whole unless
 * gradient_accumulation_shard divides them (trainer/config_args.py). With a single micro-batch, none are accumulated.
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

/*
 * Read the number of layers of each stage if offsets make it uneven. Offsets are a number per stage, for several chunks
 * in a list per chunk.
 */
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
	/* Offsets may count multi-token prediction layers, which the numbers here exclude. */
	if (sum == all && d->net.mtp_layers > 0)
		stages.at[c->pp - 1] -= d->net.mtp_layers;
	if (sum == d->net.layers || sum == all) {
		GIVE(configuration, c, stage_layers, stages);
		return;
	}
	place_warn(s->place, "offset: places %d layers, but the model has %d: the candidate has an even split", sum,
	    d->net.layers);
	free(stages.at);
}

enum { SMALL = 64 };	/* KB, default of parallel_optimizer_threshold, below which no parameters but norms are */

/* Warn if parameters other than norms are below the threshold. These are not divided. */
static void
check_threshold(const struct yaml *root)
{
	static const char name[] = "parallel_optimizer_threshold";
	const struct yaml *n = yaml_get(yaml_get(yaml_get(root, "parallel"), "parallel_optimizer_config"), name);

	if (n != NULL && yaml_int(n, name, 0, INT_MAX) > SMALL)
		place_warn(n->place, "%s: the optimizer does not divide parameters below %d KB; estimates of memory "
		    "ignore this (%d excludes norms only)", name, yaml_int(n, name, 0, INT_MAX), SMALL);
}

/* Read the degrees. ALONE: the network is not read, so the lists of recomputation do not belong to the candidate. */
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
		place_warn(again.at[0].place, "recompute_config: a candidate cannot express which layers are "
		    "recomputed; the plan of sapp-yaml -r can");
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
	/* A job of sapp-search also has hardware, but its model is the name of a file. */
	for (int i = 0; i < root->n; i++)
		if (strcmp(root->key[i], "model") == 0 && root->item[i]->type == YAML_SCALAR)
			return SEARCH_NONE;
	for (size_t k = 0; k < sizeof of_search / sizeof *of_search; k++)
		if (yaml_find(root, of_search[k].key) >= 0)
			return of_search[k].kind;
	return SEARCH_NONE;
}

void
mindformers_read(struct draft *d, const struct yaml *root, const struct formulas *said)
{
	struct bag model = { .place = root->place }, degrees = { 0 };
	enum search_file kind = search_file_kind(root);
	struct formulas own = said == NULL ? formulas_read(NULL) : (struct formulas){ 0 };
	const struct formulas *formulas = said != NULL ? said : &own;
	const struct yaml *shape = yaml_get(root, "model"), *trainer = yaml_get(root, "trainer");
	const char *name;

	bag_put_map(&model, kind != SEARCH_NONE ? shape : yaml_get(shape, "model_config"));
	/* The settings of experts may be next to the model's or among them. */
	bag_put_map(&model, kind == SEARCH_NONE ? yaml_get(root, "moe_config") : NULL);
	if (kind != SEARCH_DENSE_TUNER)
		put_feed_forward(&model);
	layers_of_keys(d, &model, formulas, kind == SEARCH_DENSE_TUNER ? "dense_tuner" :
	    kind == SEARCH_SAPP_ND ? "search_file" : "mindformers_file");
	if (kind != SEARCH_NONE) {
		name = bag_text(&model, "name|model_name");
		/* These are settings of the search, and numbers of bytes that are the usual ones. */
		bag_find(&model, "local_batch_size|offset|compute_dtype|param_init_type|softmax_compute_type|"
		    "precision_bytes");
		draft_name_unknown(&model, "a key of model");
	} else {
		read_adapters(d, yaml_get(yaml_get(shape, "model_config"), "pet_config"));
		/* These settings may differ between layers. */
		if (bag_find(&model, "moe_layer_freq|layer_types|window_size|sliding_window|full_attention_interval|"
		    "experimental_attention_variant|use_shared_expert_gating|index_topk") != NULL)
			layers_of_options(d, &model, formulas, "mindformers");
		bag_put_map(&degrees, yaml_get(root, "parallel_config"));
		read_degrees(d, &degrees, &model, root, said == NULL);
		bag_free(&degrees);
		bag_put_map(&degrees, trainer);
		name = bag_text(&degrees, "model_name");
	}
	if (name != NULL && *name != '\0')
		d->net.name = xstrdup(name);
	bag_free(&degrees);
	bag_free(&model);
	formulas_free(&own);
}
