/* The pipeline settings in the YAML of a training run. */
#ifndef TRAINING_H
#define TRAINING_H

#include "lib/yaml/operator_lists.h"
#include "lib/yaml/settings.h"
#include "lib/yaml/yaml.h"

enum training_key {
	TRAINING_OFFSET, TRAINING_RECOMPUTE, TRAINING_SELECT, TRAINING_SELECT_COMM,
	TRAINING_LISTS,
	TRAINING_INTERLEAVE_NUM = TRAINING_LISTS, TRAINING_INTERLEAVE, TRAINING_SCHEDULER, TRAINING_MICRO,
	TRAINING_SPLITS, TRAINING_SWAP, TRAINING_LAYER_SWAP, TRAINING_OP_SWAP,
	TRAINING_STAGES, TRAINING_DATA, TRAINING_MODEL, TRAINING_CONTEXT, TRAINING_CONTEXT_KIND, TRAINING_EXPERT,
	TRAINING_SEQUENCE, TRAINING_BATCH, TRAINING_STEPS, TRAINING_OPTIMIZER,
	TRAINING_SHARD, TRAINING_SCATTER, TRAINING_GATHER, TRAINING_PERMUTE, TRAINING_MEMORY,
	TRAINING_KEYS
};

/* The path of a setting: up to two maps, NULL-terminated, then the key in the last map. */
struct training_path {
	const char *map[3];
	const char *key;
};
extern const struct training_path training_paths[TRAINING_KEYS];

struct training {
	const char *path;
	char *text;
	size_t length;
	struct yaml *root;
	struct place place;	/* the file without a line, for messages */
	int stages;
	int layers;		/* 0: unset */
	int extra_layers;	/* number of multi-token prediction layers; offsets may count them or not */
	int interleave;		/* number of chunks per stage; 1 unless pipeline_interleave is true */
	bool interleave_said;	/* the file sets pipeline_interleave */
	int interleave_num;	/* value of pp_interleave_num */
	int micro_batches;	/* with one stage, number of steps of gradient accumulation; 0: unset */
	int copies;		/* micro_batch_interleave_num: number of parts of a micro-batch that overlap */
	int seq_split;		/* number of parts of a sequence in the pipeline; 1: not split */
	double device_memory;	/* MB; 0: unset */
	int seq_length;		/* tokens per sequence; 0: unset (likewise for batch_size and sharing) */
	int batch_size;		/* number of sequences per micro-batch */
	int sharing;		/* number of devices that share each layer */
	int hidden_size, num_heads, vocab_size, intermediate_size;	/* sizes of the network; 0: unset */
	bool swap;		/* activations are offloaded, and lists are indices of layers: swap.h */
	const char *scheduler;	/* NULL: unset */
	/* the setting of jit_level if it is O2, with which ENABLE_LESS_MEM_VPP has no effect; NULL otherwise */
	const struct yaml *whole_graph;
};

/* Parse TEXT, taking ownership of it. Exit if it is not a training YAML. WARN: report duplicate keys. */
void training_parse(struct training *, const char *path, char *text, size_t length, bool warn);
/* Exit if a list does not fit the pipeline. The functions below assume that all lists fit. */
void training_check(const struct training *);
/* Read a file: parse it and check it. */
void training_read(struct training *, const char *path);
void training_free(struct training *);

/* Return the map that has KEY; return the value of KEY; NULL: absent. */
const struct yaml *training_map(const struct training *, enum training_key);
const struct yaml *training_value(const struct training *, enum training_key);

/*
 * Return the number of layers of each piece that a recomputation list means. CHUNKS x STAGES: size of the pipeline;
 * LAYERS: number of layers of each piece; chunks == 0: unknown.
 *
 * Numbers, truth values and patterns have the framework's meaning; patterns are for all layers. If a list has one
 * number per stage, its layers go to the stage's chunks in turn. The result has chunks == 0 if it depends on unknown
 * layers.
 */
struct grid training_counts(const struct yaml *value, const char *key, int chunks, int stages,
    struct grid layers);

/*
 * Return whether LIST has a list for each chunk. Return whether LIST has patterns of operators, which all layers
 * recompute.
 */
bool training_of_lists(const struct yaml *list);
bool training_of_patterns(const struct yaml *list);

/* Return the offset of each piece. If the file has a single list, it holds for every chunk. */
struct grid training_offsets(const struct training *);

/*
 * Return the settings that the file has. LAYERS: number of layers if the file has none. Exit if the offsets do not add
 * up.
 */
struct settings training_settings(const struct training *, int layers);
/*
 * Return the settings that the file has, with zeros for select_recompute and select_comm_recompute. patterns.h reads
 * these two.
 */
struct settings training_settings_whole(const struct training *, int layers);
/*
 * Return the operator lists if their patterns have different numbers, for pieces of LAYERS layers. Otherwise return
 * none, since training_settings() is enough. Exit if one of the two lists has no patterns.
 */
struct operator_lists training_operators(const struct training *, struct grid layers);

#endif
