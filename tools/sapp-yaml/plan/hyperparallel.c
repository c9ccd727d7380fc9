/* HyperParallel: a plan as settings of HyperParallel, and as lists of its planner. */
#include "lib/setup/hyperparallel.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/yaml/yaml_edit.h"
#include "print.h"

/* Exit unless TEXT has the settings of the plan. */
static void
verify(const char *text, size_t length, const struct plan *p, const struct yaml_question *q)
{
	struct yaml *root = yaml_parse(text, length, "the settings");
	struct launched x;

	hyperparallel_read(&x, root, q->layers);
	if (x.shape.kind != q->shape.kind || x.shape.chunks != q->shape.chunks || x.shape.stages != q->shape.stages)
		place_die(q->place, "'%s': not printed: the settings would not express its schedule", p->name);
	question_verify(q, p, x.kind, "the settings");
	launched_free(&x);
	yaml_release(root);
}

/* Exit if the candidate has settings without a key. FSDP divides weights, gradients and states together. */
static void
check_degrees(const struct configuration *c, const char *name, struct place at)
{
	bool divides = c->zero > 0 && c->dp * c->cp > 1;
	const char *what = divides && (c->zero < 3 || c->cp > 1 || c->dp % c->shard != 0) ? "zero" :
	    c->cp_kind != CONTEXT_RING ? "cp_kind" : c->dispatcher == DISPATCHER_FLEX ? "dispatcher" :
	    c->ep_overlap ? "ep_overlap" : c->graph != GRAPH_NONE ? "graph" : c->fused != 0 ? "fused" :
	    c->store != configuration_plain.store ? "store" : c->optimizer_host > 0 ? "optimizer_host" :
	    c->optimizer != OPTIMIZER_UNSAID && c->optimizer != OPTIMIZER_ADAM ? "optimizer" :
	    c->attention8 ? "attention8" : NULL;

	if (what != NULL)
		place_die(at, "'%s': candidate: %s: HyperParallel has no key for it", name, what);
}

/* Return the settings as a text; caller frees. */
static char *
settings_of(const struct plan *p, const struct yaml_question *q, size_t *length)
{
	struct grid kind[RECOMPUTE_KINDS];
	bool part = q->uniform.kind != RECOMPUTE_NONE && q->uniform.kind != RECOMPUTE_FULL;
	char *text = NULL;
	FILE *f = memstream_open(&text, length);

	if (q->degrees != NULL)
		check_degrees(q->degrees, p->name, q->place);
	plan_kinds(p, q->pieces.chunks, q->pieces.stages, kind);
	hyperparallel_print(f, &q->shape, q->pieces, kind[RECOMPUTE_FULL], part, q->degrees);
	memstream_close(f);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
	return text;
}

void
print_hyperparallel(const struct plan *p, const struct yaml_question *q)
{
	size_t length;
	char *text = settings_of(p, q, &length);

	verify(text, length, p, q);
	fputs(text, stdout);
	free(text);
}

/* Set the entries of MAP, which was parsed from TEXT, below the key BELOW of a file. */
static void
set_entries(char **file, size_t *length, const char *path, const struct yaml *map, const char *text, const char *below,
    bool micro)
{
	for (int i = 0; i < map->n; i++) {
		struct yaml_span at = map->item_span[i];
		char *key = xasprintf("%s%s%s", below, *below != '\0' ? "." : "", map->key[i]);
		char *value = xstrndup(text + at.start, at.end - at.start);

		if (map->item[i]->type == YAML_MAP)
			set_entries(file, length, path, map->item[i], text, key, micro);
		else if (micro || strcmp(map->key[i], "pp_micro_batch_num") != 0)
			yaml_edit_set(file, length, path, key, value);
		free(value);
		free(key);
	}
}

char *
hyperparallel_into(const char *path, const char *text, size_t *length, const struct plan *p,
    const struct yaml_question *q,
    bool micro)
{
	size_t size;
	char *file = xstrndup(text, *length), *settings = settings_of(p, q, &size);
	struct yaml *root = yaml_parse(settings, size, "the settings"), *old = yaml_parse(text, *length, path);
	const struct yaml *again = yaml_get(yaml_get(old, "train"), "gradient_checkpointing");

	set_entries(&file, length, path, root, settings, "", micro || q->degrees != NULL);
	/* A list that has no effect now may have the wrong length. */
	if (again != NULL && yaml_get(again, "num_layers") != NULL && strstr(settings, "num_layers:") == NULL)
		yaml_edit_set(&file, length, path, "train.gradient_checkpointing.num_layers", "null");
	verify(file, *length, p, q);
	yaml_release(old);
	yaml_release(root);
	free(settings);
	return file;
}

/* Write a list of lists, one per chunk, even for one chunk. */
static void
put_list(const char *key, struct grid g)
{
	char *text = settings_text(g);

	printf(g.chunks == 1 ? "  %s: [%s]\n" : "  %s: %s\n", key, text);
	free(text);
}

void
print_ppb(const struct plan *p, const struct yaml_question *q)
{
	(void)q;
	printf("%s:\n", p->name);
	put_list("offset", p->offset);
	put_list("recompute", p->recompute);
	put_list("select_recompute", p->select_recompute);
	put_list("select_comm_recompute", p->select_comm_recompute);
	printf("  interleave_num: %d\n", p->interleave);
}
