/*
 * The init YAML: with which settings a model was measured, and what was measured of it.
 * Its keys are described in sapp-memsplit.1. Any other key is an error with its line.
 */
#ifndef INITFILE_H
#define INITFILE_H

#include "lib/record/layer.h"
#include "operator_lists.h"
#include "settings.h"

struct init_round {		/* one set of settings that was run, [1][stage] */
	struct place place;
	struct settings settings;
	struct operator_lists operators;	/* numbers for each pattern; settings have those of the first */
	struct grid kind[RECOMPUTE_KINDS];	/* layers of each kind */
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
	struct yaml *yaml;		/* owns all text */
	struct place place;		/* of pipeline_config; of the file when there is none */
	int stages, layers;		/* 0: no pipeline_config */
	int bodies;	/* kinds of body layers that num_layer tells apart, at least 1 with pipeline_config */
	int *body_layers;		/* [bodies] of each kind, in the order of the model */
	int rounds;
	struct init_round *round;
	struct operator_kinds kinds;	/* that lists of operators made, in all rounds */
	struct model model;		/* model_config: sizes of the network and of a micro-batch; 0: not said */
	bool has_time;
	double time[3];			/* time_config, ms, by enum layer_type; of the first kind of body layers */
	int body_times;
	double *body_time;		/* [body_times], ms, as many as bodies */
	bool has_profiling;
	struct init_names names[3];	/* profiling_config's head_layers ..., by enum layer_type */
	int micro_batches;		/* 0: not said */
	int step_micro_batches;		/* of the run whose memory was measured; 0: not said */
	const char *folder;		/* NULL: not said */
	int memories;
	struct init_memory *memory;	/* by round and stage */
};

/* Read and check PATH; exits with path:line on anything that does not fit. */
void initfile_read(struct initfile *, const char *path);
/* The same from a YAML that was read, which is taken over. */
void initfile_parse(struct initfile *, struct yaml *);
void initfile_free(struct initfile *);

#endif
