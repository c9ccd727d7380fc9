/* Read the arguments of Megatron-LM and its kin, from a script or a list. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/script/processes.h"
#include "lib/script/spelled.h"
#include "lib/script/started.h"
#include "lib/setup/launch.h"
#include "blocks.h"
#include "layers.h"
#include "running.h"

/* Give arguments of earlier releases their current names. */
static void
respell(struct bag *a)
{
	for (int implied = 0; implied < 2; implied++)
		for (const struct spelled *x = spelled_before; x->was != NULL; x++) {
			const struct setting *s = x->implied == (bool)implied ? bag_find(a, x->was) : NULL;

			if (s != NULL && s->text != NULL && bag_find(a, x->now) == NULL &&
			    (x->means == NULL || bag_flag(a, x->was)))
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
		place_die(a->place, "--hidden-size: not a multiple of --num-attention-heads, and no --kv-channels '%d'",
		    d->net.hidden_size);
	/* DeepSpeed has experts in every second layer by default. */
	if (bag_find(a, "moe_expert_parallel_size") != NULL && bag_find(a, "expert_interval") == NULL)
		bag_put(a, "expert_interval", "2", a->place);
	freq = bag_text(a, "moe_layer_freq|expert_interval");
	if (d->net.experts > 0 && freq != NULL && strpbrk(freq, "[(") == NULL &&
	    bag_int(a, "moe_layer_freq|expert_interval", -1, &every) && every > 1)
		SET(d, moe_every, every);
	if (bag_flag(a, "grad_reduce_in_bf16")) {
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

	if (!bag_flag(a, "multi_latent_attention|multi_head_latent_attention") && (symbols == NULL ||
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

/* Note that the layers must come from another file. */
static void
elsewhere(struct draft *d, const struct setting *s, long line, const char *why)
{
	if (d->net.layers == 0 || d->elsewhere != NULL)
		return;
	d->elsewhere = xasprintf("%s; give the network's config.json before it '%s'", why, s->text != NULL ? s->text :
	    s->name);
	d->elsewhere_place = (struct place){ xstrdup(s->place.source), line };
}

/* Note layers that arguments, or KEYS of a YAML, do not describe. */
static void
layers_elsewhere(struct draft *d, struct bag *a, bool keys)
{
	const struct setting *type = keys ? bag_find(a, "model_type") : NULL;

	if (bag_find(a, "intermediate_size") != NULL)
		elsewhere(d, bag_find(a, "intermediate_size"), bag_find(a, "intermediate_size")->place.line,
		    "--intermediate-size: belongs to layers of Megatron-Patch, which the arguments do not describe");
	if (type != NULL && type->text != NULL && strcmp(type->text, "gpt") != 0 && strcmp(type->text, "mamba") != 0)
		/* The line may be of another file, which the YAML names. */
		elsewhere(d, type, 0, "model_type: settings do not describe layers of this type");
}

/* Exit if layers have different numbers of experts, or a tower has degrees of its own, as in some releases. */
static void
refuse_unequal(struct bag *a)
{
	const struct setting *experts = bag_find(a, "num_experts");
	static const char *const degrees[] = { "encoder_tensor_model_parallel_size",
		"encoder_pipeline_model_parallel_size", NULL };

	if (experts != NULL && experts->text != NULL && strchr(experts->text, ' ') != NULL)
		place_die(experts->place, "--num-experts: layers with different numbers of experts are not supported: "
		    "give sapp-lp layer records, with a BODY record for each number '%s'", experts->text);
	for (int i = 0; degrees[i] != NULL; i++) {
		const struct setting *s = bag_find(a, degrees[i]);

		if (s != NULL && s->text != NULL && strcmp(s->text, "0") != 0)
			place_die(s->place, "%s: a tower with its own degrees of parallelism is not supported '%s'",
			    s->name,
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
	if (processes_nodes(s) != NULL)
		bag_put(variables, "nnodes", processes_nodes(s), s->place);
	if (processes_each(s) != NULL)
		bag_put(variables, "nproc_per_node", processes_each(s), s->place);
	if (processes_all(s) != NULL)
		bag_put(variables, "processes", processes_all(s), s->place);
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
		place_warn(s->place, "verl: the degrees of the actor are used; its offloading, its batches by tokens "
		    "and the rollout on the same devices are ignored");
		if (bag_find(&arguments, "use_distributed_optimizer") == NULL)
			bag_put(&arguments, "use_distributed_optimizer", "true", s->place);
		if (bag_find(&arguments, "sequence_parallel") == NULL)
			bag_put(&arguments, "sequence_parallel", "true", s->place);
	}
	respell(&arguments);
	refuse_unequal(&arguments);
	read_members(d, &arguments, formulas);
	if (more->vocab_size > 0 && bag_find(&arguments, "vocab_size|padded_vocab_size") == NULL)
		SET(d, vocab_size, more->vocab_size);
	layers_elsewhere(d, &arguments, s->keys);
	unlike = blocks_read(d, &arguments);
	read_latent(d, &arguments);
	if (unlike)
		layers_of_options(d, &arguments, formulas, bag_find(&arguments, "symbols") != NULL ? "megatron_hybrid" :
		    "megatron");
	running_read(d, &arguments);
	running_devices(d, &arguments, &variables);
	bag_free(&arguments);
	bag_free(&variables);
	formulas_free(&own);
}
