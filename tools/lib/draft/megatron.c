/* Read the arguments of Megatron-LM and its kin, from a script or a list. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"
#include "lib/base/whole.h"
#include "lib/record/device_operator.h"
#include "lib/script/spelled.h"
#include "lib/script/started.h"
#include "lib/setup/hybrid.h"
#include "lib/setup/launch.h"
#include "lib/setup/layout.h"
#include "blocks.h"
#include "layers.h"

enum { DEVICES_MOST = 1 << 24 };

static bool
flag(struct bag *a, const char *names)
{
	const struct setting *s = bag_find(a, names);

	return s != NULL && (s->text == NULL || (strcasecmp(s->text, "false") != 0 && strcmp(s->text, "0") != 0));
}

/* Give arguments of earlier releases their current names. */
static void
respell(struct bag *a)
{
	for (int implied = 0; implied < 2; implied++)
		for (const struct spelled *x = spelled_before; x->was != NULL; x++) {
			const struct setting *s = x->implied == (bool)implied ? bag_find(a, x->was) : NULL;

			if (s != NULL && s->text != NULL && bag_find(a, x->now) == NULL &&
			    (x->means == NULL || flag(a, x->was)))
				bag_put(a, x->now, x->means != NULL ? x->means : s->text, s->place);
		}
}

/* Leave out the layers in a list such as "0,15": they do nothing and have no parameters. */
static void
take_noop(struct draft *d, const char *list)
{
	int n = list != NULL && *list != '\0';

	for (; list != NULL && *list != '\0'; list++)
		n += *list == ',';
	if (n > 0 && n < d->net.layers)
		SET(d, layers, d->net.layers - n);
}

/* Read the members that formulas give, then those that formulas cannot express. */
static void
read_members(struct draft *d, struct bag *a, const struct formulas *formulas)
{
	const char *freq;
	int every;

	layers_of_keys(d, a, formulas, "megatron_arguments");
	field_give(&architecture_fields, &d->net, offsetof(struct architecture, gated));
	field_give(&architecture_fields, &d->net, offsetof(struct architecture, bias));
	take_noop(d, bag_text(a, "noop_layers"));
	if (!GIVEN(architecture, &d->net, head_dim) && d->net.num_heads > 0 &&
	    d->net.hidden_size % d->net.num_heads != 0)
		place_die(a->place, "--hidden-size is no multiple of --num-attention-heads, and --kv-channels is not "
		    "there '%d'", d->net.hidden_size);
	/* DeepSpeed has experts in every second layer by default. */
	if (bag_find(a, "moe_expert_parallel_size") != NULL && bag_find(a, "expert_interval") == NULL)
		bag_put(a, "expert_interval", "2", a->place);
	freq = bag_text(a, "moe_layer_freq|expert_interval");
	if (d->net.experts > 0 && freq != NULL && strpbrk(freq, "[(") == NULL &&
	    bag_int(a, "moe_layer_freq|expert_interval", -1, &every) && every > 1)
		SET(d, moe_every, every);
	if (flag(a, "grad_reduce_in_bf16")) {
		d->net.precision.gradient = 2;
		d->net.precision.given |= 2;
		field_give(&architecture_fields, &d->net, offsetof(struct architecture, precision));
	}
}

static void
read_latent(struct draft *d, struct bag *a)
{
	static const int key = 128, rope = 64, latent = 32;
	const char *symbols = bag_text(a, "symbols");

	if (!flag(a, "multi_latent_attention|multi_head_latent_attention") && (symbols == NULL ||
	    strpbrk(symbols, "+D") == NULL))
		return;
	SET(d, kv_lora_rank, latent);
	SET(d, qk_head_dim, key);
	SET(d, rope_head_dim, rope);
	SET(d, v_head_dim, key);
	TAKE(d, a, q_lora_rank, 0, "q_lora_rank");
	TAKE(d, a, kv_lora_rank, 1, "kv_lora_rank");
	TAKE(d, a, qk_head_dim, 1, "qk_head_dim|qk_nope_head_dim");
	TAKE(d, a, rope_head_dim, 0, "qk_pos_emb_head_dim|qk_rope_head_dim");
	TAKE(d, a, v_head_dim, 1, "v_head_dim");
}

/* Read the number of devices from the launcher. */
static void
read_devices(struct draft *d, struct bag *a, struct bag *started)
{
	int each, nodes = 1, world;

	if (bag_int(a, "world_size", 1, &d->devices))	/* from a log's list of arguments */
		return;
	if (bag_text(started, "WORLD_SIZE") != NULL &&
	    (world = whole_of(bag_text(started, "WORLD_SIZE"), DEVICES_MOST)) > 0)
		d->devices = world;
	each = bag_text(started, "nproc_per_node") != NULL ?
	    whole_of(bag_text(started, "nproc_per_node"), DEVICES_MOST) : 0;
	if (bag_text(started, "nnodes") != NULL)
		nodes = whole_of(bag_text(started, "nnodes"), INT_MAX);
	if (each > 0 && nodes > 0 && nodes <= DEVICES_MOST / each)
		d->devices = each * nodes;
}

/* Set *BITS to the set of names in a list. Names in OTHERS are ignored. Return false if the list is absent. */
static bool
words(struct bag *a, const char *names, const char *const *known, const char *others, int *bits)
{
	const struct setting *s = bag_find(a, names);
	char *copy, *rest, *word;

	if (s == NULL || s->text == NULL)
		return false;
	*bits = 0;
	copy = rest = xstrdup(s->text);
	while ((word = strsep(&rest, " ,[]'\"")) != NULL) {
		int i = 0;

		while (known[i] != NULL && strcmp(known[i], word) != 0)
			i++;
		if (known[i] != NULL)
			*bits |= 1 << i;
		else if (*word != '\0' && strstr(others, word) == NULL)
			place_warn(s->place, "%s is not known and left out '%s'", s->name, word);
	}
	free(copy);
	return true;
}

static void
read_recompute(struct draft *d, struct bag *a)
{
	const char *kind = bag_text(a, "recompute_granularity");
	int layers = 0, modules;

	if (kind == NULL && !flag(a, "recompute_activations")) {
		GIVE(configuration, &d->current, recompute, KEEP_ALL);
		return;
	}
	bag_int(a, "recompute_num_layers", 0, &layers);
	bag_find(a, "recompute_method");
	if (kind != NULL && strcmp(kind, "full") == 0) {
		const char *method = bag_text(a, "recompute_method");

		/* If only some layers of each stage are recomputed, a plan must say which. */
		if (method == NULL || strcmp(method, "block") != 0 || (int64_t)layers * d->current.pp *
		    d->current.vp >= d->net.layers)
			GIVE(configuration, &d->current, recompute, KEEP_FULL);
		else
			place_warn(bag_find(a, "recompute_method")->place, "--recompute-method block: the candidate "
			    "does not say that %d layers of every piece are recomputed; the plan of sapp-yaml -r does",
			    layers);
		return;
	}
	if (words(a, "recompute_modules", module_names, "shared_experts", &modules))
		GIVE(configuration, &d->current, recompute, FIELD_IS_SET | modules);
	else
		GIVE(configuration, &d->current, recompute, KEEP_CORE);
}

/*
 * Read the scope of CUDA graphs: the whole step, whole layers, or parts of layers. In layers with experts, a graph ends
 * at a part for which the host needs numbers of rows.
 */
static void
read_graph(struct draft *d, struct bag *a)
{
	struct configuration *c = &d->current;
	const char *by = bag_text(a, "cuda_graph_impl"), *over = bag_text(a, "cuda_graph_scope|cuda_graph_modules");
	bool any = flag(a, "external_cuda_graph|enable_cuda_graph") || (by != NULL && strcmp(by, "none") != 0);
	bool whole = (over != NULL && strstr(over, "full_iteration") != NULL) ||
	    (by != NULL && strcmp(by, "full_iteration") == 0);
	int scope = 0;

	if (!any)
		return;
	if (whole || d->net.experts == 0) {
		GIVE(configuration, c, graph, GRAPH_FULL);
		return;
	}
	GIVE(configuration, c, graph, GRAPH_PART);
	if (!words(a, "cuda_graph_scope|cuda_graph_modules", graph_scope_names, "mlp moe mamba", &scope) || scope == 0)
		scope = SCOPE_ATTN | SCOPE_MOE_ROUTER | SCOPE_MOE_PREPROCESS;
	GIVE(configuration, c, graph_scope, scope);
}

static double
bytes_of(struct bag *a, const char *names)
{
	const char *type = bag_text(a, names);

	return type == NULL || strstr(type, "32") != NULL ? 4 : strstr(type, "16") != NULL ? 2 : 1;
}

/* Read formats of 8 and 4 bits, and the bytes per number of kept inputs, with a scale for every 32 or 16 numbers. */
static void
read_precision(struct draft *d, struct bag *a)
{
	struct configuration *c = &d->current;
	const char *eight = flag(a, "fp8_hybrid") ? "hybrid" : bag_text(a, "fp8_format|fp8");
	const char *four = bag_text(a, "fp4_format|fp4");

	const char *recipe = bag_text(a, "fp8_recipe");

	if (four != NULL && strcmp(four, "none") != 0) {
		GIVE(configuration, c, store, 0.5625);
		GIVE(configuration, c, compute, TYPE_FP4);
	} else if (eight != NULL && strcmp(eight, "none") != 0) {
		GIVE(configuration, c, store, 1.03125);
		GIVE(configuration, c, compute, recipe == NULL ? TYPE_FP8 : strcmp(recipe, "mxfp8") == 0 ? TYPE_MXFP8 :
		    strcmp(recipe, "blockwise") == 0 ? TYPE_FP8_BLOCK : TYPE_FP8);
	}
	if (flag(a, "fp8_dot_product_attention|fp8_multi_head_attention"))
		GIVE(configuration, c, attention8, true);
}

/*
 * Read the states of the optimizer: weights of 32 bits and two moments. A fraction of the parameters has its states on
 * the host (Megatron-LM, cpu_offloading/hybrid_optimizer.py: offload_fraction), while its gradients stay on the device.
 */
static void
read_optimizer(struct draft *d, struct bag *a)
{
	struct precision *p = &d->net.precision;
	bool aware = flag(a, "use_precision_aware_optimizer"), host = flag(a, "optimizer_cpu_offload");
	const char *kind = bag_text(a, "optimizer");
	double fraction = 1;

	if (kind != NULL && strcmp(kind, "sgd") == 0)
		GIVE(configuration, &d->current, optimizer, OPTIMIZER_SGD);
	if (!aware && !host)
		return;
	if (aware) {
		double first = bytes_of(a, "exp_avg_dtype"), second = bytes_of(a, "exp_avg_sq_dtype");

		p->optimizer = 4 + first + second;
		p->given |= 4;
		if (first == second && first >= 2)
			GIVE(configuration, &d->current, optimizer, first == 2 ? OPTIMIZER_ADAM16 : OPTIMIZER_ADAM);
	}
	bag_real(a, "optimizer_offload_fraction", &fraction);
	if (host && (fraction < 0 || fraction > 1))
		place_die(bag_find(a, "optimizer_offload_fraction")->place, "--optimizer-offload-fraction: not between "
		    "0 and 1 '%g'", fraction);
	if (host)
		GIVE(configuration, &d->current, optimizer_host, fraction);
	if (aware && bytes_of(a, "main_grads_dtype") < 4) {
		p->gradient = bytes_of(a, "main_grads_dtype");
		p->given |= 2;
	}
	if (aware)
		field_give(&architecture_fields, &d->net, offsetof(struct architecture, precision));
}

/*
 * Read the adapters of MindSpeed-LLM, "--lora-r 16 --lora-target-modules linear_qkv linear_proj", or of ms-swift,
 * "--tuner_type lora --lora_rank 16 --target_modules all-linear".
 */
static void
read_adapters(struct draft *d, struct bag *a)
{
	const char *modules = bag_text(a, "lora_target_modules|target_modules"), *type = bag_text(a, "tuner_type");

	if (type != NULL && strcmp(type, "lora") == 0) {
		d->adapters.rank = 8;
		d->adapters.everywhere = true;
		bag_int(a, "lora_rank", 1, &d->adapters.rank);
		if (modules != NULL && strstr(modules, "all-router") != NULL)
			place_warn(bag_find(a, "target_modules")->place, "--target_modules: adapters of routers are "
			    "not counted: memory more");
		if (modules != NULL && strstr(modules, "all-linear") != NULL)
			modules = NULL;
	} else if (type != NULL && strcmp(type, "full") != 0) {
		place_die(bag_find(a, "tuner_type")->place, "--tuner_type: neither full nor lora '%s'", type);
	} else if (!bag_int(a, "lora_r", 1, &d->adapters.rank)) {
		return;
	}
	d->adapters.experts = true;
	if (modules != NULL)
		d->adapters.modules = xstrdup(modules);
}

/* Read the numbers of layers on the first and the last stage. Return false if neither is set. */
static bool
read_ends(struct configuration *c, struct bag *a, int layers)
{
	int first = 0, last = 0, middle, rest;
	bool any = bag_int(a, "decoder_first_pipeline_num_layers", 1, &first);

	any |= bag_int(a, "decoder_last_pipeline_num_layers", 1, &last);
	middle = c->pp - (first > 0) - (last > 0);
	rest = layers - first - last;
	if (any && layers == 0)
		place_warn(a->place, "the layers of the first and the last stage are not kept: this file has no "
		    "number of layers; the candidate has an even split");
	if (!any || rest < 0 || (middle > 0 ? rest % middle : rest) != 0)
		return false;
	GIVE(configuration, c, stage_layers, grid_new(1, c->pp));
	for (int i = 0; i < c->pp; i++)
		c->stage_layers.at[i] = i == 0 && first > 0 ? first : i == c->pp - 1 && last > 0 ? last :
		    rest / middle;
	return true;
}

/*
 * Read whether embedding and loss count as layers of an even division. Megatron-LM has this, and DeepSpeed by another
 * name. Return false if neither counts.
 */
static bool
read_counted_ends(struct configuration *c, struct bag *a, int layers)
{
	const char *method = bag_text(a, "pp_partition_method");
	bool both = method != NULL && strcasecmp(method, "type:transformer|embedding") == 0;
	bool head = both || flag(a, "account_for_embedding_in_pipeline_split");
	bool tail = both || flag(a, "account_for_loss_in_pipeline_split");
	int all = layers + head + tail;

	if (!(head || tail) || layers == 0 || all % (c->pp * c->vp) != 0)
		return false;
	GIVE(configuration, c, stage_layers, grid_new(1, c->pp));
	for (int i = 0; i < c->pp; i++)
		c->stage_layers.at[i] = all / c->pp - (head && i == 0) - (tail && i == c->pp - 1);
	return true;
}

/*
 * Count the layers that do nothing in an even division. In dualpipev the second chunk runs back through the stages.
 * Return false if no such layers are set.
 */
static bool
read_noop(struct configuration *c, struct bag *a, int layers)
{
	const struct setting *s = bag_find(a, "noop_layers");
	bool back = bag_text(a, "schedules_method") != NULL;
	int all = layers, each;

	if (s == NULL || s->text == NULL || !bag_int(a, "num_layers", 1, &all) || all == layers ||
	    all % (c->pp * c->vp) != 0)
		return false;
	each = all / (c->pp * c->vp);
	GIVE(configuration, c, stage_layers, grid_new(1, c->pp));
	for (int i = 0; i < c->pp; i++)
		c->stage_layers.at[i] = all / c->pp;
	for (const char *at = s->text, *end; *at != '\0'; at = end + (*end == ',')) {
		long layer = strtol(at, (char **)&end, 10);
		int piece = (int)(layer / each);

		if (end == at || layer < 0 || layer >= all)
			place_die(s->place, "--noop-layers: not a list of whole numbers between 0 and %d '%s'",
			    all - 1, s->text);
		c->stage_layers.at[back && piece >= c->pp ? 2 * c->pp - 1 - piece : piece % c->pp]--;
	}
	return true;
}

/* Read the number of layers of each stage: from the numbers of the end stages, or from a layout. */
static void
read_stages(struct draft *d, struct bag *a)
{
	const struct setting *s = bag_find(a, "pipeline_model_parallel_layout");
	const struct setting *hybrid = bag_find(a, "hybrid_layer_pattern");
	struct grid layers, extra = { 0 }, sum;
	struct configuration *c = &d->current;
	int depths;

	if (c->pp == 1 || read_ends(c, a, d->net.layers) || read_counted_ends(c, a, d->net.layers) ||
	    read_noop(c, a, d->net.layers))
		return;
	if (hybrid != NULL && hybrid->text != NULL && strchr(hybrid->text, '|') != NULL)
		hybrid_read(hybrid->text, c->pp, &layers, &depths, hybrid->place);
	else if (s != NULL && s->text != NULL)
		layout_read(s->text, c->pp, &layers, &extra, s->place);
	else
		return;
	sum = grid_new(1, c->pp);
	for (int k = 0; k < layers.chunks; k++)
		for (int i = 0; i < c->pp; i++)
			sum.at[i] += *grid_at(layers, k, i);
	c->vp = layers.chunks;
	GIVE(configuration, c, stage_layers, sum);
	free(layers.at);
	free(extra.at);
}

/* Read the dispatcher of tokens to experts. */
static void
read_dispatch(struct draft *d, struct bag *a)
{
	struct configuration *c = &d->current;
	const char *dispatcher = bag_text(a, "moe_token_dispatcher_type");
	bool once = flag(a, "moe_enable_deepep") || bag_find(a, "moe_flex_dispatcher_backend") != NULL;
	int nodes;

	if (dispatcher != NULL && strcmp(dispatcher, "flex") == 0)
		GIVE(configuration, c, dispatcher, DISPATCHER_FLEX);
	else if (dispatcher != NULL && strncmp(dispatcher, "alltoall", 8) == 0)
		GIVE(configuration, c, dispatcher, once ? DISPATCHER_FLEX : DISPATCHER_ALLTOALL);
	if (flag(a, "overlap_moe_expert_parallel_comm|moe_fb_overlap"))
		GIVE(configuration, c, ep_overlap, true);
	if (!flag(a, "moe_router_force_load_balancing") &&
	    bag_int(a, "moe_router_topk_limited_devices|moe_router_group_topk", 1, &nodes))
		SET(d, node_limit, nodes);
}

/* Read all settings other than degrees. */
static void
read_settings(struct draft *d, struct bag *a)
{
	struct configuration *c = &d->current;
	int fused;

	read_graph(d, a);
	read_precision(d, a);
	read_optimizer(d, a);
	read_adapters(d, a);
	read_stages(d, a);
	if (d->net.experts > 0)
		read_dispatch(d, a);
	fused = (flag(a, "use_ascend_mc2") ? FUSED_MC2 : 0) |
	    (flag(a, "moe_permute_fusion|use_fused_moe_token_permute_and_unpermute") ? FUSED_PERMUTE : 0);
	/* Frameworks ignore fused operators that do not apply. */
	fused &= configuration_fusable(c, d->net.experts > 0);
	if (fused != 0)
		GIVE(configuration, c, fused, fused);
}

/* Read the kind of context parallelism, by Megatron-LM's name or by MindSpeed's. */
static void
read_context(struct configuration *c, struct bag *a)
{
	const char *exchange = bag_text(a, "cp_comm_type"), *algorithm = bag_text(a, "context_parallel_algo");

	if ((exchange != NULL && strcmp(exchange, "a2a") == 0) ||
	    (algorithm != NULL && strcmp(algorithm, "ulysses_cp_algo") == 0))
		GIVE(configuration, c, cp_kind, CONTEXT_ULYSSES);
}

/* Set the order of operations. If estimates do not know it, set the nearest that they know, with a warning. */
static void
read_order(struct configuration *c, struct bag *a)
{
	static const struct { const char *name, *argument; int chunks; } order[] = {
		{ "schedules_method", "--schedules-method dualpipev", 2 },
		{ "zero_bubble_v_schedule", "--zero-bubble-v-schedule", 2 },
		{ "enable_zero_bubble", "--enable-zero-bubble", 1 },
	};

	for (size_t i = 0; i < sizeof order / sizeof order[0] && c->pp > 1; i++) {
		const struct setting *s = bag_find(a, order[i].name);

		/* Primus ignores its keys for zero bubbles unless patch_zero_bubble is true. */
		if (s == NULL || (i > 0 && (!flag(a, order[i].name) ||
		    (s->node != NULL && !flag(a, "patch_zero_bubble")))))
			continue;
		c->vp = order[i].chunks;
		place_warn(s->place, "%s: the candidate is %s instead, whose step is longer", order[i].argument,
		    c->vp == 2 ? "interleaved with two chunks" : "1f1b");
		return;
	}
}

static void
read_degrees(struct draft *d, struct bag *a)
{
	struct configuration *c = &d->current;
	int layers = 0, zero = 0, all = d->net.layers;

	c->tp = c->pp = c->cp = c->ep = c->mbs = 1;
	bag_int(a, "tensor_model_parallel_size", 1, &c->tp);
	bag_int(a, "pipeline_model_parallel_size", 1, &c->pp);
	bag_int(a, "context_parallel_size", 1, &c->cp);
	read_context(c, a);
	bag_int(a, "expert_model_parallel_size", 1, &c->ep);
	/* DeepSpeed does not divide experts by tensor parallelism unless asked to. */
	c->etp = d->net.experts > 0 && (bag_find(a, "moe_expert_parallel_size") == NULL ||
	    flag(a, "enable_expert_tensor_parallelism")) ? c->tp : 1;
	bag_int(a, "expert_tensor_parallel_size", 1, &c->etp);
	bag_int(a, "micro_batch_size", 1, &c->mbs);
	bag_int(a, "global_batch_size", 1, &d->batch);
	c->vp = 1;
	bag_int(a, "num_layers", 1, &all);	/* this number includes layers that do nothing */
	if (bag_int(a, "num_layers_per_virtual_pipeline_stage", 1, &layers) && c->pp > 1 && d->net.layers > 0)
		c->vp = all / c->pp / layers > 1 ? all / c->pp / layers : 1;
	if (bag_int(a, "num_virtual_stages_per_pipeline_rank", 1, &layers) && c->pp > 1)
		c->vp = layers;
	read_order(c, a);
	GIVE(configuration, c, sp, flag(a, "sequence_parallel") && c->tp > 1);
	/* With a pipeline, DeepSpeed divides nothing but optimizer states. */
	bag_int(a, "zero_stage", 0, &zero);
	GIVE(configuration, c, zero, flag(a, "use_distributed_optimizer") || zero > 0 ? 1 : 0);
	bag_int(a, "num_distributed_optimizer_instances", 1, &d->optimizers);
	GIVE(configuration, c, ep, c->ep);
	GIVE(configuration, c, etp, c->etp);
	GIVE(configuration, c, cp, c->cp);
	GIVE(configuration, c, vp, c->vp);
	GIVE(configuration, c, mbs, c->mbs);
	read_recompute(d, a);
	read_settings(d, a);
}

/* Exit if arguments do not describe the network, or if a tower has degrees of its own, as in some releases. */
static void
refuse_tower(const struct draft *d, struct bag *a)
{
	static const char *const degrees[] = { "encoder_tensor_model_parallel_size",
		"encoder_pipeline_model_parallel_size", NULL };

	if (bag_find(a, "decoder_num_layers") != NULL)
		place_die(bag_find(a, "decoder_num_layers")->place, "--decoder-num-layers: a network of encoder and "
		    "decoder, as T5, is not counted");
	if (bag_find(a, "intermediate_size") != NULL && d->net.layers > 0)
		place_die(bag_find(a, "intermediate_size")->place, "--intermediate-size: of layers of Megatron-Patch's "
		    "own, which the arguments do not describe; give the network's config.json alone, and its degrees "
		    "to sapp-search");
	for (int i = 0; degrees[i] != NULL; i++) {
		const struct setting *s = bag_find(a, degrees[i]);

		if (s != NULL && s->text != NULL && strcmp(s->text, "0") != 0)
			place_die(s->place, "%s: a tower with degrees of its own is not planned '%s'", s->name,
			    s->text);
	}
}

/* Put an override such as "model.num_layers=4" into the bag by the name of its argument. */
static void
take_override(struct bag *arguments, const char *word, struct place at)
{
	const char *value, *key;
	enum launch_option o;
	size_t n;
	char *name;

	if ((key = started_override(word, &n, &value)) == NULL)
		return;
	name = xstrndup(key, n);
	o = launch_named(name);
	if (o != LAUNCH_OPTIONS) {
		free(name);
		name = xstrdup(launch_name(o) + 2);
		for (char *c = name; *c != '\0'; c++)
			*c = *c == '-' ? '_' : *c;
	}
	bag_put(arguments, name, value, at);
	free(name);
}

/* Put options with their values, "true" if they have none, and exported variables into bags. */
static void
take_arguments(struct bag *arguments, struct bag *variables, const struct started *s)
{
	const struct texts *a = &s->program.arguments, *env = &s->program.environment;

	for (int i = 0; i < a->n;) {
		const struct unknown_argument *x;
		char *name, *value;
		struct place at = started_place(s, i);

		if (!started_is_option(a->at[i])) {
			take_override(arguments, a->at[i++], at);
			continue;
		}
		name = xstrndup(a->at[i] + 2, strcspn(a->at[i] + 2, "="));
		x = started_unknown(s, name);
		for (char *c = name; *c != '\0'; c++)
			*c = *c == '-' ? '_' : *c;
		value = started_value(s, &i);
		if (x != NULL)
			bag_put_unknown(arguments, name, started_why(s, x), at);
		else
			bag_put(arguments, name, value != NULL ? value : "true", at);
		free(value);
		free(name);
	}
	for (int i = 0; i < env->n; i++) {
		char *name = xstrndup(env->at[i], strcspn(env->at[i], "="));

		bag_put(variables, name, strchr(env->at[i], '=') + 1, s->place);
		free(name);
	}
	if (started_nodes(s) != NULL)
		bag_put(variables, "nnodes", started_nodes(s), s->place);
	if (started_node_devices(s) != NULL)
		bag_put(variables, "nproc_per_node", started_node_devices(s), s->place);
}

void
megatron_read(struct draft *d, const struct started *s, const struct formulas *said, const struct additions *more)
{
	struct bag arguments = { .place = { s->place.source, 0 } }, variables = arguments;
	struct formulas own = said == NULL ? formulas_read(NULL) : (struct formulas){ 0 };
	const struct formulas *formulas = said != NULL ? said : &own;
	bool unlike;

	take_arguments(&arguments, &variables, s);
	/* ms-swift sets it by default, and slime always. */
	if (bag_find(&arguments, "use_distributed_optimizer") == NULL &&
	    (bag_find(&arguments, "actor_num_nodes") != NULL ||
	    (s->program.launcher.n > 0 && strcmp(s->program.launcher.at[0], "megatron") == 0)))
		bag_put(&arguments, "use_distributed_optimizer", "true", s->place);
	if (started_of_verl(s)) {
		place_warn(s->place, "of verl the actor's degrees count; its offloading, its batches by tokens and the "
		    "rollout on the same devices are not counted");
		if (bag_find(&arguments, "use_distributed_optimizer") == NULL)
			bag_put(&arguments, "use_distributed_optimizer", "true", s->place);
		if (bag_find(&arguments, "sequence_parallel") == NULL)
			bag_put(&arguments, "sequence_parallel", "true", s->place);
	}
	respell(&arguments);
	read_members(d, &arguments, formulas);
	if (more->vocab_size > 0 && bag_find(&arguments, "vocab_size|padded_vocab_size") == NULL)
		SET(d, vocab_size, more->vocab_size);
	refuse_tower(d, &arguments);
	unlike = blocks_read(d, &arguments);
	read_latent(d, &arguments);
	if (unlike)
		layers_of_options(d, &arguments, formulas, bag_find(&arguments, "symbols") != NULL ? "megatron_hybrid" :
		    "megatron");
	read_degrees(d, &arguments);
	read_devices(d, &arguments, &variables);
	bag_free(&arguments);
	bag_free(&variables);
	formulas_free(&own);
}
