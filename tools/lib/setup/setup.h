/* Setup: the pipeline that a file runs, for any kind of file. */
#ifndef SETUP_H
#define SETUP_H

#include "lib/model/network.h"
#include "lib/record/pipeline.h"
#include "lib/target/modules.h"
#include "lib/target/target.h"
#include "lib/yaml/operator_lists.h"
#include "lib/yaml/settings.h"

struct setup {
	struct place place;		/* of the file */
	enum target target;		/* the framework that it is for */
	struct pipeline pipeline;	/* micro_batches 0, memory_limit.n 0: unset */
	int layers;			/* number of layers of its settings */
	int seq_length, batch_size, sharing;	/* as in struct training; 0: unset */
	int hidden_size, num_heads, vocab_size, intermediate_size;
	int ranks;			/* ranks of the job; 0: unset */
	int extra;			/* number of multi-token prediction layers */
	bool extra_counted;		/* offsets count them also */
	struct settings settings;
	/* layers by kind, with the kinds of kind records; without entries the settings have the layers */
	struct grid kind[RECOMPUTE_KINDS];
	struct operator_lists operators;	/* without kind records: lists with different numbers per pattern */
	struct operator_kinds named;	/* the kinds that such lists create */
	int *layer;			/* kind of each layer, if the file lists layers */
};

/*
 * Read PATH: a training YAML, a script, a list of arguments, or a log with one. LAYERS: default number of layers (0:
 * unknown); NET (may be NULL) must have the same number. SETS, MODULES: names of kinds. If they are NULL, lists of
 * operators with different numbers per pattern create kinds. Exits if the file cannot be parsed.
 */
void setup_read(struct setup *, const char *path, int layers, const struct network *net,
    const struct pattern_sets *sets, const struct modules *modules);
void setup_free(struct setup *);

/* Return the number of layers in TEXT, or in the config.json that it names. */
int setup_layers(const char *text);

#endif
