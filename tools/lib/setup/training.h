/* Training: what the YAML of a training run says about its pipeline now. */
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

/* Where each stands: up to two maps, ended by NULL, and the key in the last. */
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
	int layers;		/* 0: the file does not say */
	int extra_layers;	/* predicting further tokens; offsets may count them or not */
	int interleave;		/* chunks a stage: 1 unless pipeline_interleave is true */
	bool interleave_said;	/* pipeline_interleave is there */
	int interleave_num;	/* what pp_interleave_num says */
	int micro_batches;	/* of one stage steps of gradient accumulation; 0: the file does not say */
	int copies;		/* in which the sequences of a micro-batch are worked on: micro_batch_interleave_num */
	int seq_split;		/* parts of a sequence that go through the pipeline one by one; 1: whole */
	double device_memory;	/* MB, 0: the file does not say */
	int seq_length;		/* tokens of a sequence; 0: the file does not say, as for the next two */
	int batch_size;		/* sequences of a micro-batch */
	int sharing;		/* devices that share each layer */
	int hidden_size, num_heads, vocab_size, intermediate_size;	/* of the network; 0: as above */
	bool swap;		/* activations are offloaded: lists have indices of layers, swap.h */
	const char *scheduler;	/* NULL: the file does not say */
};

/* Exits when it is no training YAML. TEXT is taken over. WARN of keys that are there twice. */
void training_parse(struct training *, const char *path, char *text, size_t length, bool warn);
/* Exits when one of the lists does not fit the pipeline: the readers below take that for granted. */
void training_check(const struct training *);
/* Both, of a file. */
void training_read(struct training *, const char *path);
void training_free(struct training *);

/* The map that holds KEY, or NULL; the value in it, or NULL. */
const struct yaml *training_map(const struct training *, enum training_key);
const struct yaml *training_value(const struct training *, enum training_key);

/*
 * What a value of one of the recomputation lists stands for in a pipeline of CHUNKS x STAGES with these
 * layers (chunks == 0: unknown): numbers, truth values, patterns (all layers) as the training framework takes
 * them; a list with one number a stage is dealt out over its chunks in turn. chunks == 0 in the answer: cannot
 * be said without the layers.
 */
struct grid training_counts(const struct yaml *value, const char *key, int chunks, int stages,
    struct grid layers);

/* A list of one list a chunk; a list of patterns, which name operations to recompute in all layers. */
bool training_of_lists(const struct yaml *list);
bool training_of_patterns(const struct yaml *list);

/* What the offsets sum up to; 0 where there are none. */
int training_offset_sum(const struct training *);

/*
 * The settings as they are. LAYERS is the model's where the file does not say. Exits when they
 * do not add up.
 */
struct settings training_settings(const struct training *, int layers);
/* The same without select_recompute and select_comm_recompute, for patterns.h: zeros. */
struct settings training_settings_whole(const struct training *, int layers);
/*
 * The lists of operators by their patterns, where their numbers differ, in pieces of LAYERS; none where they do not,
 * for training_settings(). Exits where numbers without patterns stand beside them.
 */
struct operator_lists training_operators(const struct training *, struct grid layers);

#endif
