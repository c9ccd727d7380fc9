/* Question: the question that the plan to be written answers. */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "lib/setup/patterns.h"
#include "lib/target/modules.h"

struct yaml_question {
	int layers;
	int extra;		/* multi-token prediction layers among these */
	int micro_batches;	/* 0: unknown */
	struct shape shape;	/* shape.micro: likewise */
	struct grid pieces;	/* layers of each piece */
	struct uniform uniform;	/* if the target has one number for all pieces */
	struct devices devices;	/* lists belong to the record */
	struct place place;	/* of the plan */
	const struct architecture *net;	/* from the stream; NULL: unknown */
	const char *tower;	/* a layer of the plan before a language model; NULL: none */
	const struct configuration *degrees;	/* from the stream; NULL: unknown, a file's stay */
	struct configuration *own;	/* degrees that differ from the stream's */
	double limit;		/* MB, maximum over stages; 0: unknown */
	double offload;		/* GB/s of a device's link; 0: unknown */
	struct pattern_sets *sets;	/* of the kind records; NULL: none */
	struct modules modules;	/* of the kind records */
	bool swaps;			/* some kinds of the plan offload via swap_config */
	struct pattern_lists *patterns;	/* NULL: the plan has only built-in kinds, and its own lists */
};

/* Return the plan NAME; if NULL the planner's first, which is its best, or the only one. Exits without plans. */
struct record *question_choose(struct records *, const char *name);
/*
 * Return the question: layers from the plan's counts, the rest from the preceding pipeline record. Exits if the plan is
 * inconsistent.
 */
struct yaml_question question_of(const struct records *, const struct record *chosen);
/* Exit unless the target can run the plan and express it. */
void yaml_question_check(struct yaml_question *, const struct plan *, enum target);
/* Exit unless overlapping lists by chunk and stage can express the plan. */
void question_check_lists(const struct yaml_question *, const struct plan *);
/* Return whether the stream's network has experts, or its candidate devices for experts. */
bool question_experts(const struct yaml_question *);
/* Return the multi-token prediction layers of a piece that are not BODY layers. */
int question_predicting_ends(const struct plan *, int piece);
/* Return the kind of each layer of the model, in list order within a piece; caller frees. */
int *question_layer_kinds(const struct yaml_question *, const struct plan *);
/* Return "45 layers", or "45 layers and 1 that predicts further tokens"; caller frees. */
char *question_layers(const struct yaml_question *);
void yaml_question_free(struct yaml_question *);

/* Exit unless settings made from the plan convert back to its counts, layer by layer. */
void question_verify(const struct yaml_question *, const struct plan *, const struct grid kind[RECOMPUTE_KINDS],
    const char *what);

#endif
