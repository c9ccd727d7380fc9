/* Question: what the plan that is to be written was made for. */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "lib/setup/patterns.h"
#include "lib/target/modules.h"

struct question {
	int layers;
	int extra;		/* of them: they predict further tokens */
	int micro_batches;	/* 0: not known */
	struct shape shape;	/* shape.micro: the same */
	struct grid pieces;	/* layers of each piece */
	struct uniform uniform;	/* where the target has one number for all pieces */
	struct devices devices;	/* lists of the record */
	struct place place;	/* of the plan */
	const struct architecture *net;	/* the stream's; NULL: nobody says */
	const char *tower;	/* a layer of it in front of a language model; NULL: there is none */
	const struct configuration *degrees;	/* the stream's; NULL: nobody says, and those of a file stay */
	struct configuration *own;	/* where they are not as the stream says them */
	double limit;		/* MB, the highest of a stage; 0: not known */
	double offload;		/* GB/s of a device's link; 0: not known */
	struct pattern_sets *sets;	/* of the kind records; NULL: there are none */
	struct modules modules;	/* of the same */
	bool swaps;			/* some kinds of the plan offload by swap_config */
	struct pattern_lists *patterns;	/* NULL: the plan has built-in kinds alone, and its own lists */
};

/* The plan called NAME; without one the planner's first, which is its best, or the only one. Exits without any. */
struct record *question_choose(struct records *, const char *name);
/* Layers by its counts, the rest from the pipeline record before it; exits when the plan does not agree with itself. */
struct question question_of(const struct records *, const struct record *chosen);
/* Exits unless the target can run it, and say it. */
void question_check(struct question *, const struct plan *, enum target);
/* Exits unless lists by chunk and stage, which overlap, can say the plan. */
void question_check_lists(const struct question *, const struct plan *);
/* Does the stream's network have experts, or its candidate devices for them? */
bool question_experts(const struct question *);
/* Layers of a piece that predict further tokens and are not among the BODY layers. */
int question_predicting_ends(const struct plan *, int piece);
/* The kind of each layer of the model, within a piece in the order in which lists have them; to be freed. */
int *question_layer_kinds(const struct question *, const struct plan *);
/* "45 layers", or "45 layers and 1 that predicts further tokens"; to be freed. */
char *question_layers(const struct question *);
void question_free(struct question *);

/* Exits unless settings that were made of the plan turn back into its counts, layer by layer. */
void question_verify(const struct question *, const struct plan *, const struct grid kind[RECOMPUTE_KINDS],
    const char *what);

#endif
