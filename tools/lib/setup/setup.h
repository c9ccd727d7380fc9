/* The pipeline that a file of any kind runs. */
#ifndef SETUP_H
#define SETUP_H

#include "lib/model/network.h"
#include "lib/record/pipeline.h"
#include "lib/target/modules.h"
#include "lib/target/target.h"
#include "lib/yaml/operator_lists.h"
#include "lib/yaml/settings.h"

struct setup {
	struct place place;		/* place of the file */
	enum target target;		/* framework that the file is for */
	struct pipeline pipeline;	/* micro_batches is 0, and memory_limit empty, if unset */
	int layers;			/* number of layers in the lists of settings */
	/* as in struct training; sharing: number of devices that share a layer; 0: unset */
	int seq_length, batch_size, sharing;
	int hidden_size, num_heads, vocab_size, intermediate_size;
	int ranks;			/* number of ranks of the job; 0: unset */
	int extra;			/* number of multi-token prediction layers */
	bool extra_counted;		/* offsets count the multi-token prediction layers */
	struct settings settings;
	/* number of layers by the kinds of kind records, for each piece; empty grids: settings has the layers */
	struct grid kind[RECOMPUTE_KINDS];
	struct operator_lists operators;	/* without kind records: lists whose patterns have different numbers */
	struct operator_kinds named;	/* kinds that are made from these lists, or from lists of modules */
	int *layer;			/* kind of each layer; NULL unless the file lists layers one by one */
};

/*
 * Read PATH: a training YAML, a script, a list of arguments, or a log that contains one. LAYERS: number of layers if
 * the file has none; 0: unknown. NET: the file must have its number of layers; may be NULL. SETS, MODULES: names of
 * kinds. If they are NULL, operator lists whose patterns have different numbers make new kinds. Exit if the file cannot
 * be parsed.
 */
void setup_read(struct setup *, const char *path, int layers, const struct network *net,
    const struct pattern_sets *sets, const struct modules *modules);
void setup_free(struct setup *);

/* Return the number of layers: the number TEXT, or the number in the config.json named TEXT. */
int setup_layers(const char *text);

#endif
