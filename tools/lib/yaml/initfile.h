/*
 * The init YAML has the settings of dryruns and their measurements. Its keys are described in sapp-memsplit(1). An
 * unknown key is an error.
 */
#ifndef INITFILE_H
#define INITFILE_H

#include "lib/record/layer.h"
#include "operator_lists.h"
#include "settings.h"

struct init_round {		/* the settings of one dryrun; lists are [1][stage] */
	struct place place;
	struct settings settings;
	/* numbers of layers per pattern; settings has the numbers of the first pattern */
	struct operator_lists operators;
	struct grid kind[RECOMPUTE_KINDS];	/* number of layers of each piece, by kind */
	struct grid layers;
};

struct init_memory {		/* an entry of memory_usage */
	struct place place;
	int round, stage;
	double memory;		/* MB */
};

struct init_names {
	int n;
	const char **at;
};

struct initfile {
	struct yaml *yaml;		/* owns all texts */
	struct place place;		/* place of pipeline_config; if it is absent, place of the file */
	int stages, layers;		/* 0: the file has no pipeline_config */
	/* number of kinds of body layers that num_layer distinguishes; at least 1 with pipeline_config */
	int bodies;
	int *body_layers;		/* [bodies], number of layers of each kind, in model order */
	int rounds;
	struct init_round *round;
	struct operator_kinds kinds;	/* kinds made from the operator lists of all rounds */
	struct model model;	/* model_config: sizes of the network and of a micro-batch; a size of 0 is unset */
	bool has_time;
	double time[3];	/* time_config, ms, by enum layer_type; the entry of body layers is for their first kind */
	int body_times;
	double *body_time;		/* [body_times], ms, by kind of body layers; body_times is equal to bodies */
	bool has_profiling;
	struct init_names names[3];	/* names in profiling_config (head_layers, ...), by enum layer_type */
	int micro_batches;		/* 0: unset */
	int step_micro_batches;		/* number of micro-batches in the run whose memory was measured; 0: unset */
	const char *folder;		/* NULL: unset */
	int memories;
	struct init_memory *memory;	/* sorted by round, then by stage */
};

/* Read and check PATH. Exit with a message that begins with path:line if anything is invalid. */
void initfile_read(struct initfile *, const char *path);
/* Check a parsed YAML and take ownership of it. */
void initfile_parse(struct initfile *, struct yaml *);
void initfile_free(struct initfile *);

#endif
