/*
 * The init YAML: the settings of dryruns and their measurements. sapp-memsplit(1) describes its keys; an unknown key is
 * an error.
 */
#ifndef INITFILE_H
#define INITFILE_H

#include "lib/record/layer.h"
#include "operator_lists.h"
#include "settings.h"

struct init_round {		/* a set of settings that was run, [1][stage] */
	struct place place;
	struct settings settings;
	struct operator_lists operators;	/* numbers per pattern; settings have those of the first pattern */
	struct grid kind[RECOMPUTE_KINDS];	/* layers by kind */
	struct grid layers;
};

struct init_memory {		/* memory_usage */
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
	struct place place;		/* of pipeline_config; of the file if absent */
	int stages, layers;		/* 0: no pipeline_config */
	int bodies;	/* kinds of body layers that num_layer distinguishes; at least 1 with pipeline_config */
	int *body_layers;		/* [bodies], layers per kind in model order */
	int rounds;
	struct init_round *round;
	struct operator_kinds kinds;	/* from lists of operators in any round */
	struct model model;		/* model_config: sizes of the network and of a micro-batch; 0: unset */
	bool has_time;
	double time[3];			/* time_config, ms, by enum layer_type; for the first kind of body layers */
	int body_times;
	double *body_time;		/* [body_times], ms; body_times equals bodies */
	bool has_profiling;
	struct init_names names[3];	/* profiling_config's head_layers ..., by enum layer_type */
	int micro_batches;		/* 0: unset */
	int step_micro_batches;		/* of the run with measured memory; 0: unset */
	const char *folder;		/* NULL: unset */
	int memories;
	struct init_memory *memory;	/* sorted by round and stage */
};

/* Read and check PATH. Exits with path:line if anything does not fit. */
void initfile_read(struct initfile *, const char *path);
/* Do the same with a parsed YAML, taking ownership of it. */
void initfile_parse(struct initfile *, struct yaml *);
void initfile_free(struct initfile *);

#endif
