/* Reads the configuration that arguments of Megatron-LM and its kin run: degrees, stages and other settings. */
#include "running.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/alloc.h"
#include "lib/base/whole.h"
#include "lib/record/device_operator.h"
#include "lib/setup/hybrid.h"
#include "lib/setup/layout.h"

enum { DEVICES_MOST = 1 << 24 };

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
			place_warn(s->place, "%s: not known, ignored '%s'", s->name, word);
	}
	free(copy);
	return true;
}

static void
read_recompute(struct draft *d, struct bag *a)
{
	const char *kind = bag_text(a, "recompute_granularity");
	static const char *const offloads[] = { "swap_attention", "fine_grained_activation_offloading" };
	int layers = 0, modules;

	for (size_t i = 0; i < sizeof offloads / sizeof offloads[0]; i++)
		if (bag_flag(a, offloads[i])) {
			bag_int(a, "recompute_num_layers", 0, &layers);
			bag_find(a, "recompute_method|recompute_modules|swap_modules|offload_modules");
			place_warn(bag_find(a, offloads[i])->place, "%s: activations are offloaded, which a candidate "
			    "cannot express; the plan of sapp-yaml -r can", offloads[i]);
			return;
		}
	if (kind == NULL && !bag_flag(a, "recompute_activations")) {
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
			place_warn(bag_find(a, "recompute_method")->place, "--recompute-method block: %d layers of "
			    "every piece are recomputed, which a candidate cannot express; the plan of sapp-yaml -r "
			    "can", layers);
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
	bool any = bag_flag(a, "external_cuda_graph|enable_cuda_graph") || (by != NULL && strcmp(by, "none") != 0);
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

static bool
says_no(struct bag *a, const char *name)
{
	const char *text = bag_text(a, name);

	return text != NULL && strcasecmp(text, "false") == 0;
}

/* Read formats of 8 and 4 bits, and the bytes per number of kept inputs, with a scale for every 32 or 16 numbers. */
static void
read_precision(struct draft *d, struct bag *a)
{
	struct configuration *c = &d->current;
	const char *eight = bag_flag(a, "fp8_hybrid") ? "hybrid" : bag_text(a, "fp8_format|fp8");
	const char *four = bag_text(a, "fp4_format|fp4"), *recipe = bag_text(a, "fp8_recipe");

	/* NeMo has formats beside a key that turns them off. */
	if (says_no(a, "fp8") || says_no(a, "fp8_format"))
		eight = NULL;
	if (four != NULL && strcmp(four, "none") != 0) {
		GIVE(configuration, c, store, 0.5625);
		GIVE(configuration, c, compute, TYPE_FP4);
	} else if (eight != NULL && strcmp(eight, "none") != 0) {
		GIVE(configuration, c, store, 1.03125);
		GIVE(configuration, c, compute, recipe == NULL ? TYPE_FP8 : strcmp(recipe, "mxfp8") == 0 ? TYPE_MXFP8 :
		    strcmp(recipe, "blockwise") == 0 ? TYPE_FP8_BLOCK : TYPE_FP8);
	}
	if (bag_flag(a, "fp8_dot_product_attention|fp8_multi_head_attention"))
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
	bool aware = bag_flag(a, "use_precision_aware_optimizer"), host = bag_flag(a, "optimizer_cpu_offload");
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

	bool language = type != NULL && strcmp(type, "lora_llm") == 0;

	if (language || (type != NULL && strcmp(type, "lora") == 0)) {
		d->adapters.rank = 8;
		d->adapters.everywhere = !language;
		if (language)
			place_warn(bag_find(a, "tuner_type")->place, "--tuner_type lora_llm: the training of towers is "
			    "not counted: memory more, step longer");
		bag_int(a, "lora_rank", 1, &d->adapters.rank);
		if (modules != NULL && strstr(modules, "all-router") != NULL)
			place_warn(bag_find(a, "target_modules")->place, "--target_modules: adapters of routers are "
			    "not counted: memory more");
		if (modules != NULL && strstr(modules, "all-linear") != NULL)
			modules = NULL;
	} else if (type != NULL && strcmp(type, "full") != 0) {
		place_die(bag_find(a, "tuner_type")->place, "--tuner_type: not full, lora or lora_llm '%s'", type);
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
		place_warn(a->place, "the layers of the first and the last stage are ignored, as this file has no "
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
	bool head = both || bag_flag(a, "account_for_embedding_in_pipeline_split");
	bool tail = both || bag_flag(a, "account_for_loss_in_pipeline_split");
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

/*
 * Read a list of the layers of every stage, or of every piece. A list of pieces has all chunks of a stage, then all
 * chunks of the next stage. If the second chunks run back through the stages, the list has the pieces in the order of
 * the data. Return false if no list is set.
 */
static bool
read_list(struct configuration *c, struct bag *a, int layers)
{
	const struct setting *s = bag_find(a, bag_flag(a, "enable_hetero") ? "hetero_pipeline_layer_split" :
	    "num_layer_list|decoder_pipeline_manual_split_list");
	const char *algorithm = bag_text(a, "pp_algorithm"), *at = s != NULL ? s->text : NULL;
	bool back = bag_flag(a, "zero_bubble_v_schedule") || (algorithm != NULL && (*algorithm == 'v' ||
	    strncmp(algorithm, "zbv", 3) == 0));
	struct grid list = { 1, 0, NULL };
	char *end;

	if (at == NULL || layers == 0)
		return false;
	for (; *(at += strspn(at, " ,[]'\"")) != '\0'; at = end) {
		*APPEND(list.at, list.stages) = (int)strtol(at, &end, 10);
		if (end == at)
			break;
	}
	if (*at != '\0' || list.stages == 0 || list.stages % c->pp != 0 || grid_sum(list) != layers)
		place_die(s->place, "%s: not numbers of layers of %d stages, that sum to %d '%s'", s->name, c->pp,
		    layers, s->text);
	c->vp = list.stages / c->pp;
	GIVE(configuration, c, stage_layers, grid_new(1, c->pp));
	for (int i = 0; i < list.stages; i++)
		c->stage_layers.at[!back ? i / c->vp : i < c->pp ? i : 2 * c->pp - 1 - i] += list.at[i];
	free(list.at);
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
	    read_noop(c, a, d->net.layers) || read_list(c, a, d->net.layers))
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
	bool once = bag_flag(a, "moe_enable_deepep") || bag_find(a, "moe_flex_dispatcher_backend") != NULL;
	int nodes;

	if (dispatcher != NULL && strcmp(dispatcher, "flex") == 0)
		GIVE(configuration, c, dispatcher, DISPATCHER_FLEX);
	else if (dispatcher != NULL && strncmp(dispatcher, "alltoall", 8) == 0)
		GIVE(configuration, c, dispatcher, once ? DISPATCHER_FLEX : DISPATCHER_ALLTOALL);
	if (bag_flag(a, "overlap_moe_expert_parallel_comm|moe_fb_overlap"))
		GIVE(configuration, c, ep_overlap, true);
	if (!bag_flag(a, "moe_router_force_load_balancing") &&
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
	fused = (bag_flag(a, "use_ascend_mc2") ? FUSED_MC2 : 0) |
	    (bag_flag(a, "moe_permute_fusion|use_fused_moe_token_permute_and_unpermute") ? FUSED_PERMUTE : 0);
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

		/* In a YAML the keys for zero bubbles have no effect unless patch_zero_bubble is true. */
		if (s == NULL || (i > 0 && (!bag_flag(a, order[i].name) ||
		    (s->node != NULL && !bag_flag(a, "patch_zero_bubble")))))
			continue;
		c->vp = order[i].chunks;
		place_warn(s->place, "%s: the candidate has %s instead, which takes longer", order[i].argument,
		    c->vp == 2 ? "interleaved 1F1B with two chunks" : "1F1B");
		return;
	}
}

void
running_read(struct draft *d, struct bag *a)
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
	    bag_flag(a, "enable_expert_tensor_parallelism")) ? c->tp : 1;
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
	GIVE(configuration, c, sp, bag_flag(a, "sequence_parallel") && c->tp > 1);
	/* With a pipeline, DeepSpeed divides nothing but optimizer states. */
	bag_int(a, "zero_stage", 0, &zero);
	zero = zero > 1 && !bag_flag(a, "no_pipeline_parallel") ? 1 : zero;
	GIVE(configuration, c, zero, zero > 0 ? zero : bag_flag(a, "use_distributed_optimizer") ? 1 : 0);
	bag_int(a, "num_distributed_optimizer_instances", 1, &d->optimizers);
	GIVE(configuration, c, ep, c->ep);
	GIVE(configuration, c, etp, c->etp);
	GIVE(configuration, c, cp, c->cp);
	GIVE(configuration, c, vp, c->vp);
	GIVE(configuration, c, mbs, c->mbs);
	read_recompute(d, a);
	read_settings(d, a);
}

/* Read the number of devices from the launcher. */
void
running_devices(struct draft *d, struct bag *a, struct bag *started)
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
	if (bag_text(started, "processes") != NULL &&
	    (world = whole_of(bag_text(started, "processes"), DEVICES_MOST)) > 0)
		d->devices = world;
}
