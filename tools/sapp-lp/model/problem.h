/* Problem: a question to the planner: network, schedule and memory limits; and plans for it (candidates). */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "lib/model/network.h"
#include "content.h"
#include "evaluator.h"
#include "tolerance.h"

enum { CHUNKS_MAX = 100 };	/* per stage, as accepted by -i: for arrays on the stack */

/* Sizes up to which things are enumerated. Larger problems are solved in other ways; tests lower these limits. */
struct list_limits {
	int contents;		/* contents of the model, for lists of settings */
	int combinations;	/* combinations of mixes of a stage's contents, for a list of settings */
	int mixes;		/* mixes of a content, for the least memory of a stage: see least_memory.h */
	double states;		/* states of dynamic programming over all stages of one chunk, for a proof */
};

struct problem {
	const struct network *net;
	struct shape shape;
	/*
	 * The planned pipeline: the pipeline of the shape, but a mirrored schedule is folded in the middle. There
	 * stages s and P - 1 - s hold the same two pieces and act at the same time, so one stage stands for both, with
	 * half of the micro-batches.
	 */
	int stages, chunks, micro, pieces;
	const struct devices *devices;
	bool transient;		/* network_transient() */
	/*
	 * Backwards are split, and kinds of recomputation differ in the weight gradient part or the memory kept for it.
	 * Then of two mixes of a front the one with less activation may be faster. Otherwise these parts are zero.
	 */
	bool parts;
	double together;	/* time of two overlapping operations / sum of their times; 1 without overlap */
	double *pace;		/* [stages], factors of layer times */
	int *tier, tiers;	/* [stages]: see tier.h */
	struct network *on;	/* [tiers], the network on each tier's devices */
	double *limit;		/* [stages], MB */
	int *limited;		/* [stages], the stage of the shape with that limit */
	/* With one chunk per stage piece n is on stage n, whichever stage of the shape a custom order places it on. */
	int *piece;		/* [pieces], piece n of the model as chunk * stages + stage */
	int *position;		/* [pieces], the inverse: position in model order of chunk * stages + stage */
	/* [pieces], the piece as chunk * stages + stage of the shape, as in plan records */
	int *plan_piece;
	int *fewest;		/* [pieces], minimum number of layers */
	int *needed;		/* [pieces + 1], minimum number in the pieces before piece n of the model */
	int *behind;		/* [pieces + 1], minimum number in it and the pieces after it */
	/* Layers that must share a piece: no piece begins after FIRST and before END. */
	struct { int first, end; } block;
	struct evaluator evaluator;
	struct contents contents;
	struct least_memory *least;	/* see least_memory.h */
	bool listed;		/* see contents_new() */
	struct list_limits list_limits;	/* set by problem_new(); change before calling anything else */
};

/* ms per micro-batch in a piece; or the number of visits of each by a path. */
struct times {
	double forward, backward;
	double gradient;		/* part of backward in phase W of split backwards */
};

/* A plan: the content of each piece, and its recomputation. */
struct candidate {
	int *content;		/* [pieces], index in problem.contents.content */
	int *mix;		/* [pieces], index in that content's front */
};

/* Return the operations of a cycle in the schedule (caller frees), or NULL. */
char *problem_cycle(const struct shape *);
/*
 * LIMIT: MB, one for all stages or one per stage. LISTED: see contents_new(). Network and devices must outlive the
 * problem.
 */
struct problem problem_new(const struct network *, const struct shape *, const struct devices *, struct list limit,
    bool listed);
/*
 * Return the problem with additional contents that fit only limits raised by RAISE MB. It shares everything else with
 * the first, which must outlive it.
 */
struct problem problem_wider(const struct problem *, double raise);
/* Move the contents of the wider problem to the first, invalidating indices of the first's contents. */
void problem_widen(struct problem *, struct problem *wide);
void problem_wider_free(struct problem *wide);	/* also after problem_widen() */
void problem_free(struct problem *);

struct candidate candidate_new(const struct problem *);
void candidate_copy(const struct problem *, struct candidate *to, const struct candidate *from);
void candidate_free(struct candidate *);

/* Return a mix of a content by its index in the content's front. */
const struct mix *problem_mix(const struct problem *, int content, int mix);

/* Return whether LAYERS layers may precede piece n of the model, by BLOCK and the pieces' minimum layers. */
bool problem_border(const struct problem *, int n, int layers);
/* Return the minimum number of layers in the pieces after piece n of the model; in a stage. */
int needed_behind(const struct problem *, int n);
int stage_fewest(const struct problem *, int stage);
/*
 * Return whether a piece can hold a content, or a layer of a body, if every other piece holds its minimum and all are
 * in model order.
 */
bool piece_can_hold(const struct problem *, int piece, int content);
bool piece_can_have(const struct problem *, int piece, int body);

/* Get CONTENT[chunks] and MIX[chunks] of a stage's pieces; MIX may be NULL. */
void candidate_stage(const struct problem *, const struct candidate *, int stage, int *content, int *mix);
void candidate_set_mixes(const struct problem *, struct candidate *, int stage, const int *mix);
/*
 * Set the contents for LAYERS[pieces] in model order. Return false if a piece has too few layers or more than any
 * content, or the sum is wrong.
 */
bool candidate_lay_out(const struct problem *, const int *layers, struct candidate *);
/* Return whether the contents are all of the model's layers in order. */
bool candidate_placed(const struct problem *, const struct candidate *);
/* Get the ms of every slot of the evaluator, COST[slots]. */
void candidate_costs(const struct problem *, const struct candidate *, double *cost);
/* Get the ms of each phase of a piece on its stage, MS[evaluator.phases]. */
void phase_times(const struct problem *, int piece, struct times, double *ms);
/* Return the times of a piece with that content and mix at pace 1, including the model's head or tail. */
struct times piece_times(const struct problem *, int piece, const struct content *, const struct mix *);
/* Return the times of the model's head and tail alone, zero if the piece has neither. */
struct times end_times(const struct problem *, int piece);
/* Write a piece's times on its stage into its slots of COST[slots]. */
void piece_costs(const struct problem *, int piece, struct times, double *cost);
/*
 * Return a path's visits of the piece's times, multiplied by its stage's pace: the path's length is the sum of
 * times_product() over the pieces + its delay.
 */
struct times piece_worth(const struct problem *, int piece, const struct visits *);
double times_product(struct times, struct times);
/* Return the MB in use only while a piece with that content runs; the minimum over contents. */
double piece_transient(const struct problem *, int piece, const struct content *);
double piece_least_transient(const struct problem *, int piece);
/*
 * Return the MB at a row other than parameters and activations, with CONTENT[chunks] in the first chunks: transient
 * memory, and memory that only waits for W; the minimum of that over all contents.
 */
double row_beside(const struct problem *, int stage, int row, const struct content *const content[], int chunks);
double row_least_transient(const struct problem *, int stage, int row);
/*
 * Return the MB of a layer or a content in ROW independent of live micro-batches: parameters, or at a moment outside
 * the pipeline everything it needs. In that row row_beside() and row_least_transient() subtract what ends and
 * parameters take in the other rows, so that sums have the same form in all rows.
 */
bool row_is_other(const struct problem *, int stage, int row);
double row_parameter(const struct problem *, int stage, int row, const struct body *);
double row_content_parameter(const struct problem *, int stage, int row, const struct content *);
/* Return these MB of a layer, plus the minimum MB over kinds with the live micro-batches of the row. */
double row_least(const struct problem *, int stage, int row, int chunk, int body);
/* Return the MB of the model's head and tail on the stage, and of the constant. */
double stage_ends(const struct problem *, int stage);
/* Return the MB that no recomputation changes: parameters of CHUNK[chunks] contents and stage_ends(). */
double stage_fixed(const struct problem *, int stage, const struct content *const chunk[]);

#endif
