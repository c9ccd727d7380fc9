/* Question: the question that is answered by the plan to be written. */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "lib/setup/patterns.h"
#include "lib/target/modules.h"

struct yaml_question {
	int layers;
	int extra;		/* number of multi-token prediction layers among the layers */
	int micro_batches;	/* number of micro-batches; 0: unknown */
	struct shape shape;	/* shape.micro 0: unknown */
	struct grid pieces;	/* number of layers of each piece */
	struct uniform uniform;	/* set if the target has one number for all pieces */
	struct devices devices;	/* its lists belong to the record */
	struct place place;	/* of the plan */
	const struct architecture *net;	/* network in the stream; NULL: unknown */
	const char *tower;	/* a layer of the plan that is before the language model; NULL: none */
	const struct configuration *degrees;	/* degrees in the stream; NULL: unknown, a file's degrees stay */
	struct configuration *own;	/* copy of the degrees, if they differ from the stream's */
	double limit;		/* MB, maximum over stages; 0: unknown */
	double offload;		/* GB/s of a device's link; 0: unknown */
	struct pattern_sets *sets;	/* patterns in kind records; NULL: none */
	struct modules modules;	/* modules in kind records */
	bool swaps;			/* whether some kinds of the plan offload via swap_config */
	struct pattern_lists *patterns;	/* NULL: the plan has only built-in kinds, and lists of its own */
};

/*
 * Return the plan NAME. If NAME is NULL, return the planner's first plan, which is its best, or the only plan. Exits if
 * no plans exist.
 */
struct record *question_choose(struct records *, const char *name);
/*
 * Return the question. The layers are from the plan's counts, the rest is from the pipeline record before the plan.
 * Exits if the plan is inconsistent.
 */
struct yaml_question question_of(const struct records *, const struct record *chosen);
/* Exit unless the target can run the plan and express it. */
void yaml_question_check(struct yaml_question *, const struct plan *, enum target);
/* Exit unless overlapping lists by chunk and stage can express the plan. */
void question_check_lists(const struct yaml_question *, const struct plan *);
/* Return whether the stream's network has experts, or its candidate has devices for experts. */
bool question_experts(const struct yaml_question *);
/* Return the number of multi-token prediction layers of a piece that are not BODY layers. */
int question_predicting_ends(const struct plan *, int piece);
/* Return the kind of each layer of the model, in the order of lists within a piece; caller frees. */
int *question_layer_kinds(const struct yaml_question *, const struct plan *);
/* Return a text such as "45 layers", or "45 layers and 1 that predicts further tokens"; caller frees. */
char *question_layers(const struct yaml_question *);
void yaml_question_free(struct yaml_question *);

/*
 * Exit unless the settings made from the plan convert back to its counts, layer by layer. KIND: number of layers of
 * each kind in the settings; WHAT: name of the settings.
 */
void question_verify(const struct yaml_question *, const struct plan *, const struct grid kind[RECOMPUTE_KINDS],
    const char *what);

#endif
