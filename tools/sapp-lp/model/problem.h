/* Problem: a question to the planner, as network, schedule and memory limits; and candidates, the plans for it. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "lib/model/network.h"
#include "content.h"
#include "evaluator.h"
#include "tolerance.h"

enum { CHUNKS_MAX = 100 };	/* maximum per stage that -i accepts, for arrays on the stack */

/* Sizes up to which objects are enumerated. Larger problems are solved in other ways. Tests lower these limits. */
struct list_limits {
	int contents;		/* number of contents of the model, for lists of settings */
	int combinations;	/* number of combinations of mixes of a stage's contents, for a list of settings */
	int mixes;		/* number of mixes of a content, for the least memory of a stage: see least_memory.h */
	double states;		/* number of states of dynamic programming over all stages of one chunk, for a proof */
};

struct problem {
	const struct network *net;
	struct shape shape;
	/*
	 * The planned pipeline. It is the pipeline of the shape, except that a mirrored schedule is folded in the
	 * middle. In a mirrored schedule stages s and P - 1 - s hold the same two pieces and act at the same time. So
	 * one stage stands for both, with half of the micro-batches.
	 */
	int stages, chunks, micro, pieces;
	const struct devices *devices;
	bool transient;		/* result of network_transient() */
	/*
	 * Backwards are split, and kinds of recomputation differ in the weight gradient part or in the memory kept for
	 * this part. Then of two mixes of a front, the mix with less activation may be faster. If false, the
	 * differences are zero.
	 */
	bool parts;
	double together;	/* time of two overlapping operations / sum of their times; 1 without overlap */
	double *pace;		/* [stages], factors of layer times */
	int *tier, tiers;	/* [stages]: see tier.h */
	struct network *on;	/* [tiers], the network on each tier's devices */
	double *limit;		/* [stages], MB */
	int *limited;		/* [stages], the stage of the shape with that limit */
	/*
	 * With one chunk per stage piece n is on stage n, even if a custom order places it on another stage of the
	 * shape.
	 */
	int *piece;		/* [pieces], piece n of the model as chunk * stages + stage */
	int *position;		/* [pieces], the inverse of piece: position in model order of chunk * stages + stage */
	/* [pieces], the piece as chunk * stages + stage of the shape, as in plan records */
	int *plan_piece;
	int *fewest;		/* [pieces], minimum number of layers of each piece */
	int *needed;		/* [pieces + 1], minimum number of layers in the pieces before piece n of the model */
	/* [pieces + 1], minimum number of layers in piece n of the model and the pieces after it */
	int *behind;
	/* Layers that must share a piece: no piece may begin after layer FIRST and before layer END. */
	struct { int first, end; } block;
	struct evaluator evaluator;
	struct contents contents;
	struct least_memory *least;	/* see least_memory.h */
	bool listed;		/* see contents_new() */
	struct list_limits list_limits;	/* set by problem_new(); change before calling anything else */
};

/* ms per micro-batch in a piece; or, for a path, its number of visits of each time. */
struct times {
	double forward, backward;
	double gradient;		/* part of backward in phase W, if backwards are split */
};

/* A plan: the content of each piece, and the content's mix of recomputation. */
struct candidate {
	int *content;		/* [pieces], index in problem.contents.content */
	int *mix;		/* [pieces], index in that content's front */
};

/*
 * Return a description of the operations of a cycle in the schedule (caller frees), or NULL if the schedule has no
 * cycle.
 */
char *problem_cycle(const struct shape *);
/*
 * Create a problem. LIMIT: MB, one for all stages or one per stage. LISTED: see contents_new(). Network and devices
 * must outlive the problem.
 */
struct problem problem_new(const struct network *, const struct shape *, const struct devices *, struct list limit,
    bool listed);
/*
 * Return a copy of the problem with additional contents that fit only if limits are raised by RAISE MB. The copy shares
 * everything else with the first problem, which must outlive it.
 */
struct problem problem_wider(const struct problem *, double raise);
/* Move the contents of the wider problem WIDE to the first. Indices of the first problem's contents become invalid. */
void problem_widen(struct problem *, struct problem *wide);
void problem_wider_free(struct problem *wide);	/* also required after problem_widen() */
void problem_free(struct problem *);

struct candidate candidate_new(const struct problem *);
void candidate_copy(const struct problem *, struct candidate *to, const struct candidate *from);
void candidate_free(struct candidate *);

/* Return a mix of a content by its index in the content's front. */
const struct mix *problem_mix(const struct problem *, int content, int mix);

/*
 * Return whether LAYERS layers may precede piece n of the model, as BLOCK and the pieces' minimum numbers of layers
 * require.
 */
bool problem_border(const struct problem *, int n, int layers);
/*
 * needed_behind() returns the minimum number of layers in the pieces after piece n of the model; stage_fewest() returns
 * the minimum of a stage.
 */
int needed_behind(const struct problem *, int n);
int stage_fewest(const struct problem *, int stage);
/*
 * Return whether a piece can hold a content, or a layer of a body. All layers must be in model order, and every other
 * piece must hold at least its minimum.
 */
bool piece_can_hold(const struct problem *, int piece, int content);
bool piece_can_have(const struct problem *, int piece, int body);

/* Get the contents and mixes of a stage's pieces in CONTENT[chunks] and MIX[chunks]; MIX may be NULL. */
void candidate_stage(const struct problem *, const struct candidate *, int stage, int *content, int *mix);
void candidate_set_mixes(const struct problem *, struct candidate *, int stage, const int *mix);
/*
 * Set the contents of the pieces to LAYERS[pieces] layers each, in model order. Return false if a piece has too few
 * layers or more layers than any content, or if the sum is wrong.
 */
bool candidate_lay_out(const struct problem *, const int *layers, struct candidate *);
/* Return whether the contents place all layers of the model in order. */
bool candidate_placed(const struct problem *, const struct candidate *);
/* Get the cost of every slot of the evaluator, ms, in COST[slots]. */
void candidate_costs(const struct problem *, const struct candidate *, double *cost);
/* Get the time of each phase of a piece on its stage, ms, in MS[evaluator.phases]. */
void phase_times(const struct problem *, int piece, struct times, double *ms);
/*
 * Return the times of a piece with this content and mix at pace 1. They include the model's head or tail if the piece
 * has it.
 */
struct times piece_times(const struct problem *, int piece, const struct content *, const struct mix *);
/* Return the times of the model's head and tail in the piece; zero if the piece has neither. */
struct times end_times(const struct problem *, int piece);
/* Write a piece's times on its stage into its slots of COST[slots]. */
void piece_costs(const struct problem *, int piece, struct times, double *cost);
/*
 * Return a path's visits of each of the piece's times, multiplied by the pace of its stage. The path's length is its
 * delay plus the sum of times_product() over the pieces.
 */
struct times piece_worth(const struct problem *, int piece, const struct visits *);
double times_product(struct times, struct times);
/*
 * Return the MB in use only while a piece with this content runs. piece_least_transient() returns the minimum over
 * contents.
 */
double piece_transient(const struct problem *, int piece, const struct content *);
double piece_least_transient(const struct problem *, int piece);
/*
 * Return the MB in a row of memory in addition to parameters and activations: transient memory, and memory that only
 * waits for W. CONTENT[chunks]: contents of the first chunks. row_least_transient() returns the minimum over all
 * contents.
 */
double row_beside(const struct problem *, int stage, int row, const struct content *const content[], int chunks);
double row_least_transient(const struct problem *, int stage, int row);
/*
 * Return the MB of a layer or a content in ROW that do not depend on live micro-batches. These MB are the parameters,
 * or at a moment outside the pipeline all memory needed then. In the row of such a moment, row_beside() and
 * row_least_transient() subtract the MB that ends and parameters take in the other rows. So sums have the same form in
 * all rows.
 */
bool row_is_other(const struct problem *, int stage, int row);
double row_parameter(const struct problem *, int stage, int row, const struct body *);
double row_content_parameter(const struct problem *, int stage, int row, const struct content *);
/*
 * Return row_parameter() of a layer plus its activations with the live micro-batches of the row: the minimum over
 * kinds, MB.
 */
double row_least(const struct problem *, int stage, int row, int chunk, int body);
/* Return the MB of the model's head and tail on the stage, and of the stage's constant memory. */
double stage_ends(const struct problem *, int stage);
/* Return the MB that no recomputation changes: the parameters of contents CHUNK[chunks] and stage_ends(). */
double stage_fixed(const struct problem *, int stage, const struct content *const chunk[]);

#endif
