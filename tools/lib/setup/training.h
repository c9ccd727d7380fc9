/* Training: the pipeline settings in the YAML of a training run. */
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

/* Path of each setting: up to two maps, NULL-terminated, and the key in the last. */
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
	struct place place;	/* of the file */
	int stages;
	int layers;		/* 0: unset */
	int extra_layers;	/* multi-token prediction layers; offsets may or may not count them */
	int interleave;		/* chunks per stage: 1 unless pipeline_interleave is true */
	bool interleave_said;	/* pipeline_interleave is set */
	int interleave_num;	/* value of pp_interleave_num */
	int micro_batches;	/* with one stage, steps of gradient accumulation; 0: unset */
	int copies;		/* micro_batch_interleave_num: parts of a micro-batch that overlap */
	int seq_split;		/* parts of a sequence in the pipeline; 1: whole */
	double device_memory;	/* MB, 0: unset */
	int seq_length;		/* tokens per sequence; 0: unset, also for the next two */
	int batch_size;		/* sequences per micro-batch */
	int sharing;		/* devices that share each layer */
	int hidden_size, num_heads, vocab_size, intermediate_size;	/* sizes of the network; 0: unset */
	bool swap;		/* activations are offloaded: lists have indices of layers, swap.h */
	const char *scheduler;	/* NULL: unset */
	const struct yaml *whole_graph;	/* jit_level O2, at which ENABLE_LESS_MEM_VPP has no effect; NULL: another */
};

/* Parse TEXT, taking ownership of it. Exit if it is not a training YAML. WARN: report duplicate keys. */
void training_parse(struct training *, const char *path, char *text, size_t length, bool warn);
/* Exit if a list does not fit the pipeline; the readers below assume that they do. */
void training_check(const struct training *);
/* Read a file: parse and check. */
void training_read(struct training *, const char *path);
void training_free(struct training *);

/* Return the map that contains KEY; return its value; or NULL. */
const struct yaml *training_map(const struct training *, enum training_key);
const struct yaml *training_value(const struct training *, enum training_key);

/*
 * Return the meaning of a recomputation list in a pipeline of CHUNKS x STAGES with these layers (chunks == 0: unknown).
 * Numbers, truth values and patterns (all layers) count as in the framework; a list with one number per stage is
 * distributed over its chunks in turn. Result chunks == 0: unknown without the layers.
 */
struct grid training_counts(const struct yaml *value, const char *key, int chunks, int stages,
    struct grid layers);

/* Return whether it is a list of lists, one per chunk; a list of patterns of operations to recompute in all layers. */
bool training_of_lists(const struct yaml *list);
bool training_of_patterns(const struct yaml *list);

/* Return the offsets; a single list holds for every chunk. */
struct grid training_offsets(const struct training *);

/* Return the current settings. LAYERS: default number of layers. Exits if they do not add up. */
struct settings training_settings(const struct training *, int layers);
/* Return the settings with zeros for select_recompute and select_comm_recompute, for patterns.h. */
struct settings training_settings_whole(const struct training *, int layers);
/*
 * Return the lists of operators by pattern if their numbers differ, for pieces of LAYERS; else empty, for
 * training_settings(). Exits if a list next to them has no patterns.
 */
struct operator_lists training_operators(const struct training *, struct grid layers);

#endif
