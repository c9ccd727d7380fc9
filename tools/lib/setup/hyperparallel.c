#include "hyperparallel.h"

#include <stdlib.h>
#include <string.h>

#include "lib/yaml/yaml.h"

enum { STAGES_MOST = 10000, CHUNKS_MOST = 1000, LAYERS_MOST = 100000, MICRO_MOST = 1000000 };

/* Return the value of KEY, or NULL if it is absent or null. */
static const struct yaml *
get(const struct yaml *map, const char *key)
{
	int i = map != NULL && map->type == YAML_MAP ? yaml_find(map, key) : -1;

	return i < 0 || yaml_is_null(map->item[i]) ? NULL : map->item[i];
}

static int
number(const struct yaml *map, const char *key, int most, int otherwise)
{
	const struct yaml *v = get(map, key);

	return v != NULL ? yaml_int(v, key, 1, most) : otherwise;
}

/* Read a list of numbers, one for each stage in data order. A rank has CHUNKS of these stages. */
static struct grid
numbers(const struct yaml *list, const char *key, int chunks, int stages, int least)
{
	struct grid g = grid_new(chunks, stages);

	if (list->type != YAML_LIST || list->n != chunks * stages)
		place_die(list->place, "%s: expected a list of %d numbers, for %d stages", key, chunks * stages,
		    chunks * stages);
	for (int i = 0; i < list->n; i++)
		g.at[i] = yaml_int(list->item[i], key, least, LAYERS_MOST);
	return g;
}

static struct grid
even(int layers, int chunks, int stages)
{
	struct grid g = grid_new(chunks, stages);
	int n = chunks * stages;

	for (int i = 0; i < n; i++)
		g.at[i] = layers / n + (i >= n - layers % n);
	return g;
}

static enum schedule_kind
schedule_of(const struct yaml *accelerator, int chunks)
{
	const struct yaml *v = get(accelerator, "pp_schedule"), *less = get(accelerator, "pp_less_memory");
	const char *name = v != NULL ? yaml_string(v, "pp_schedule") : NULL;

	if (less != NULL && yaml_bool(less, "pp_less_memory"))
		place_die(less->place, "pp_less_memory: not supported: its order of operations is not known");
	if (name != NULL && strcmp(name, "gpipe") != 0 && strcmp(name, "1f1b") != 0)
		place_die(v->place, "pp_schedule: not gpipe or 1f1b '%s'", name);
	if (chunks > 1)
		return SCHEDULE_VPP;
	if (name == NULL)
		place_die(accelerator->place,
		    "pp_schedule: missing, and its default depends on the model: write gpipe or 1f1b");
	return strcmp(name, "gpipe") == 0 ? SCHEDULE_GPIPE : SCHEDULE_1F1B;
}

/* Set the number of recomputed layers of each piece: from a list, or all layers. */
static void
recomputed(struct launched *x, const struct yaml *checkpointing, struct grid layers)
{
	const struct yaml *mode = get(checkpointing, "activation_checkpoint"), *list = get(checkpointing, "num_layers");
	/* An unquoted off is false in YAML. */
	bool off = mode == NULL || (yaml_is_bool(mode) && !yaml_bool(mode, "activation_checkpoint"));
	const char *word = off ? "off" : yaml_string(mode, "activation_checkpoint");
	bool part = strcmp(word, "selective") == 0;
	struct grid n = { 0 };

	if (strcmp(word, "off") != 0 && strcmp(word, "full") != 0 && !part)
		place_die(mode->place, "activation_checkpoint: not one of off, full and selective '%s'", word);
	if (list != NULL && part)
		place_die(list->place, "num_layers: not supported with selective recomputation");
	if (list != NULL)
		n = numbers(list, "num_layers", layers.chunks, layers.stages, 0);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		x->kind[k] = grid_new(layers.chunks, layers.stages);
	for (int i = 0; i < layers.chunks * layers.stages; i++) {
		int with = strcmp(word, "off") == 0 ? 0 : n.at != NULL ? n.at[i] : layers.at[i];

		if (with > layers.at[i])
			place_die(list->item[i]->place, "num_layers: %d, but there are only %d layers on stage %d",
			    with,
			    layers.at[i], i);
		x->kind[part ? RECOMPUTE_SELECT : RECOMPUTE_FULL].at[i] = with;
		x->kind[RECOMPUTE_NONE].at[i] = layers.at[i] - with;
	}
	free(n.at);
}

bool
hyperparallel_read(struct launched *x, const struct yaml *root, int asked)
{
	const struct yaml *train = get(root, "train"), *accelerator = get(train, "accelerator"), *split;
	const struct yaml *own = get(get(root, "model"), "num_hidden_layers");
	int stages, chunks, said = own != NULL ? yaml_int(own, "num_hidden_layers", 1, LAYERS_MOST) : 0;
	struct grid layers;

	if (accelerator == NULL || get(accelerator, "pp") == NULL)
		return false;
	*x = (struct launched){ 0 };
	stages = number(accelerator, "pp", STAGES_MOST, 1);
	chunks = number(accelerator, "pp_vpp", CHUNKS_MOST, 1);
	split = get(accelerator, "pp_layer_split");
	x->shape = (struct shape){ .kind = schedule_of(accelerator, chunks), .stages = stages, .chunks = chunks,
	    .micro = number(accelerator, "pp_micro_batch_num", MICRO_MOST, 1) };
	if (split != NULL) {
		layers = numbers(split, "pp_layer_split", chunks, stages, 1);
	} else {
		if (said == 0 && asked == 0)
			place_die(accelerator->place, "no pp_layer_split; give the number of layers with -layers");
		layers = even(said > 0 ? said : asked, chunks, stages);
	}
	x->layers = grid_sum(layers);
	if (said > 0 && said != x->layers)
		place_die(own->place, "num_hidden_layers: the stages have %d layers in all, not '%d'", x->layers, said);
	if (asked > 0 && asked != x->layers)
		place_die(split != NULL ? split->place : accelerator->place, "the stages have %d layers in all, but "
		    "-layers or the layer records have '%d'", x->layers, asked);
	recomputed(x, get(train, "gradient_checkpointing"), layers);
	free(layers.at);
	return true;
}

static void
put_list(FILE *f, const char *key, struct grid g)
{
	fprintf(f, "    %s: [", key);
	for (int i = 0; i < g.chunks * g.stages; i++)
		fprintf(f, "%s%d", i > 0 ? ", " : "", g.at[i]);
	fputs("]\n", f);
}

/* Write the degrees as keys of train.accelerator. FSDP shards over some of the replicas. */
static void
put_degrees(FILE *f, const struct configuration *c)
{
	int shards = c->zero > 0 && c->dp > 1 ? c->shard : 1;

	fprintf(f, "    dp_shard: %d\n    dp_replicate: %d\n    tp: %d\n    cp: %d\n    ep: %d\n", shards,
	    c->dp / shards, c->tp, c->cp, c->ep);
	if (c->ep > 1)
		fprintf(f, "    etp: %d\n", c->etp);
}

void
hyperparallel_print(FILE *f, const struct shape *q, struct grid layers, struct grid recompute, bool part,
    const struct configuration *degrees)
{
	int n = grid_sum(recompute);

	fputs("train:\n", f);
	if (degrees != NULL)
		fprintf(f, "  global_batch_size: %ld\n  micro_batch_size: %d\n",
		    (long)degrees->micro_batches * degrees->mbs * degrees->dp, degrees->mbs);
	fputs("  accelerator:\n", f);
	if (degrees != NULL)
		put_degrees(f, degrees);
	fprintf(f, "    pp: %d\n    pp_vpp: %d\n", q->stages, q->chunks);
	if (q->micro > 0)
		fprintf(f, "    pp_micro_batch_num: %d\n", q->micro);
	fprintf(f, "    pp_schedule: %s\n", q->kind == SCHEDULE_GPIPE ? "gpipe" : "1f1b");
	put_list(f, "pp_layer_split", layers);
	fprintf(f, "  gradient_checkpointing:\n    activation_checkpoint: %s\n", part ? "selective" :
	    n > 0 ? "full" : "\"off\"");
	if (!part && n > 0)
		put_list(f, "num_layers", recompute);
}
