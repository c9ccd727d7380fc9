/* Read an adapter_config.json of PEFT: the rank, the products with adapters, and other trained parts. */
#include "peft.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/memstream.h"
#include "lib/yaml/yaml.h"
#include "bag.h"

/* Settings that train further parameters. They are accepted if they are empty, false, "none" or 0. */
static const char *const others[] = { "rank_pattern", "exclude_modules", "layers_to_transform", "layer_replication",
	"trainable_token_indices", "target_parameters", "bias", "lora_bias", "use_dora", "use_qalora",
	"use_bdlora", NULL };
/* Settings that have no effect here: initial values, scales, and properties of the model. */
static const char about[] = "alpha_pattern|auto_mapping|base_model_name_or_path|fan_in_fan_out|inference_mode|"
    "init_lora_weights|layers_pattern|lora_alpha|lora_dropout|megatron_config|megatron_core|revision|task_type|"
    "use_rslora|loftq_config|eva_config|corda_config|lora_ga_config|arrow_config|alora_invocation_tokens|"
    "peft_version|qalora_group_size|runtime_config|ensure_weight_tying|loft_config";

static bool
says_nothing(const struct setting *s)
{
	const char *text = s->text;

	return text == NULL ? s->node->n == 0 : *text == '\0' || strcasecmp(text, "none") == 0 ||
	    strcasecmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

/* Return the last name in the path of a module. Exit if the path has the number of a single layer. */
static const char *
last_name(const struct yaml *entry, const char *key)
{
	const char *path = yaml_string(entry, key), *end = strrchr(path, '.');

	for (const char *at = path; at != NULL && at < end; at = strchr(at, '.'), at += at != NULL)
		if (*at >= '0' && *at <= '9')
			place_die(entry->place, "%s: settings of single layers are not supported '%s'", key, path);
	return end != NULL ? end + 1 : path;
}

/* Return the names of products, separated by commas; NULL: all products. */
static char *
targets(const struct setting *s)
{
	char *names = NULL;
	size_t size = 0;
	FILE *out;

	if (s->text != NULL && strcmp(s->text, "all-linear") == 0)
		return NULL;
	if (s->text != NULL)
		place_die(s->place, "target_modules: not a list of names or all-linear; write out the names that the "
		    "pattern matches '%s'", s->text);
	if (s->node->type != YAML_LIST || s->node->n == 0)
		place_die(s->place, "target_modules: not a list of names");
	out = memstream_open(&names, &size);
	for (int i = 0; i < s->node->n; i++)
		fprintf(out, "%s%s", i > 0 ? "," : "", last_name(s->node->item[i], "target_modules"));
	memstream_close(out);
	return names;
}

/* Read the modules of which a copy is trained. */
static void
read_saved(struct adapted *a, const struct setting *s)
{
	static const char *const ends[] = { "embed_tokens", "word_embeddings", "wte", "embeddings", "tok_embeddings",
		"lm_head", "output_layer", "embed_out" };
	enum { HEADS = 5 };

	if (s->node->type != YAML_LIST)
		place_die(s->place, "modules_to_save: not a list of names");
	for (int i = 0; i < s->node->n; i++) {
		const char *name = last_name(s->node->item[i], "modules_to_save");
		size_t k = 0;

		while (k < sizeof ends / sizeof ends[0] && strcmp(ends[k], name) != 0)
			k++;
		if (k == sizeof ends / sizeof ends[0])
			place_die(s->node->item[i]->place, "modules_to_save: not the embedding or the head "
			    "(embed_tokens, lm_head) '%s'", name);
		*(k < HEADS ? &a->embedding : &a->head) = true;
	}
}

struct adapted
peft_read(const char *path)
{
	struct yaml *root = yaml_read(path);
	struct adapted a = { .everywhere = true };
	struct bag b = { 0 };
	const struct setting *s;
	const char *type;

	if (root->type != YAML_MAP)
		place_die(root->place, "not an adapter_config.json");
	b.place = root->place;
	bag_put_map(&b, root);
	type = bag_text(&b, "peft_type");
	if (type == NULL || strcasecmp(type, "lora") != 0)
		place_die(root->place, "peft_type: not LORA, the only supported type '%s'", type != NULL ? type : "");
	if (!bag_int(&b, "r", 1, &a.rank))
		place_die(root->place, "missing key 'r', the rank of the adapters");
	if (a.rank > ADAPTER_RANK_MOST)
		place_die(bag_find(&b, "r")->place, "r: above %d '%d'", ADAPTER_RANK_MOST, a.rank);
	s = bag_find(&b, "target_modules");
	if (s == NULL)
		place_die(root->place, "no target_modules: PEFT then chooses them by model family; write them out");
	a.modules = targets(s);
	s = bag_find(&b, "modules_to_save");
	if (s != NULL)
		read_saved(&a, s);
	for (int i = 0; others[i] != NULL; i++) {
		s = bag_find(&b, others[i]);
		if (s != NULL && !says_nothing(s))
			place_die(s->place, "%s: not supported: the parameters that it trains are not known '%s'",
			    others[i],
			    s->text != NULL ? s->text : "a list or a map");
	}
	bag_find(&b, about);
	draft_name_unknown(&b, "a key");
	bag_free(&b);
	yaml_release(root);
	return a;
}
