/* Setup: what a file says of the pipeline that it runs, whatever kind of file it is. */
#ifndef SETUP_H
#define SETUP_H

#include "lib/model/network.h"
#include "lib/record/pipeline.h"
#include "lib/yaml/operator_lists.h"
#include "lib/yaml/settings.h"
#include "lib/target/modules.h"

struct setup {
	struct place place;		/* of the file */
	struct pipeline pipeline;	/* micro_batches 0, memory_limit.n 0: it does not say */
	int layers;			/* that its settings are for */
	int seq_length, batch_size, sharing;	/* as in struct training; 0: it does not say */
	int hidden_size, num_heads, vocab_size, intermediate_size;
	int extra;			/* layers that predict further tokens */
	bool extra_counted;		/* by the offsets, among the others */
	struct settings settings;
	/* [kinds], by the patterns or modules of kind records, without entries: as the settings have it */
	struct grid kind[RECOMPUTE_KINDS];
	struct operator_lists operators;	/* that differ, where no kind record says what they are, */
	struct operator_kinds named;	/* and the kinds that they make */
	int *layer;			/* [layers], the kind of each, where any is offloaded; NULL: by the rest */
};

/*
 * The training YAML, script, list of arguments, or log that has one, PATH. LAYERS is the model's where the file does
 * not say (0: nobody does); NET (may be NULL) must have as many. SETS, MODULES: what kinds of recomputation stand for,
 * NULL: nobody says; lists of operators that differ from each other make kinds then. Exits when it cannot be
 * understood.
 */
void setup_read(struct setup *, const char *path, int layers, const struct network *net,
    const struct pattern_sets *sets, const struct modules *modules);
void setup_free(struct setup *);

/* The number of layers in TEXT, or in the config.json that it names. */
int setup_layers(const char *text);

#endif
