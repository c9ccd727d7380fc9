/* Problem: one question to the planner: network, schedule and memory limits; and plans for it (candidates). */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "lib/model/network.h"
#include "content.h"
#include "evaluator.h"
#include "tolerance.h"

enum { CHUNKS_MAX = 100 };	/* of a stage, as -i takes them: for arrays on the stack */

/*
 * Up to how many things are listed one by one. Larger problems are solved in other ways; tests lower these to try
 * them.
 */
struct list_limits {
	int contents;		/* of the model, for lists of settings */
	int combinations;	/* of mixes of a stage's contents, for a list of settings */
	int mixes;		/* of a content, for the least memory of a stage: see least_memory.h */
	double states;		/* of dynamic programming over all stages of one chunk, for a proof */
};

struct problem {
	const struct network *net;
	struct shape shape;
	/*
	 * The pipeline that is planned: that of the shape, except that a mirrored schedule is folded in the middle.
	 * There stage s and stage P - 1 - s hold the same two pieces and do the same at the same time, so one stage
	 * stands for both, with half of the micro-batches.
	 */
	int stages, chunks, micro, pieces;
	const struct devices *devices;
	bool transient;		/* network_transient() */
	/*
	 * Backwards are split, and kinds of recomputation differ in the weights' part, or in what is kept for it. Of
	 * two mixes of a front the one with less activation may then be the faster. Elsewhere those parts are zero.
	 */
	bool parts;
	double together;	/* time of two operations that run together, over their sum; 1 where none do */
	double *pace;		/* [stages], by which the times of layers there are multiplied */
	int *tier, tiers;	/* [stages]: see tier.h */
	struct network *on;	/* [tiers], the network as the devices of each have it */
	double *limit;		/* [stages], MB */
	int *limited;		/* [stages], the stage of the shape whose limit that is */
	/* With one chunk a stage the n-th piece is on stage n, on whichever of the shape's an order by hand has it. */
	int *piece;		/* [pieces], the n-th piece of the model as chunk * stages + stage */
	int *position;		/* [pieces], the inverse: of chunk * stages + stage, which in the model's order it is */
	/* [pieces], the piece as chunk * stages + stage of the shape, as plan records have it */
	int *plan_piece;
	int *fewest;		/* [pieces], layers that it holds at least */
	int *needed;		/* [pieces + 1], those that the pieces before the n-th of the model hold at least */
	int *behind;		/* [pieces + 1], those that it and the pieces behind it hold at least */
	/* Layers that are all in one piece: no piece begins with one behind FIRST and before END. */
	struct { int first, end; } block;
	struct evaluator evaluator;
	struct contents contents;
	struct least_memory *least;	/* see least_memory.h */
	bool listed;		/* see contents_new() */
	struct list_limits list_limits;	/* defaults of problem_new(), to be changed before anything else is called */
};

/* ms of one micro-batch in a piece; or how often a path visits each of those times. */
struct times {
	double forward, backward;
	double gradient;		/* the part of backward that phase W takes where the schedule splits it */
};

/* A plan: what each piece holds, and how that is recomputed. */
struct candidate {
	int *content;		/* [pieces], index in problem.contents.content */
	int *mix;		/* [pieces], index in that content's front */
};

/* The operations of the schedule that wait for one another, so that it can never run; NULL: it can. To be freed. */
char *problem_cycle(const struct shape *);
/*
 * LIMIT: MB, one for all stages or one for each. LISTED: see contents_new(). Network and devices must outlive the
 * problem.
 */
struct problem problem_new(const struct network *, const struct shape *, const struct devices *, struct list limit,
    bool listed);
/*
 * The same problem with contents so large, too, that they only fit limits raised by RAISE MB. It shares all else with
 * the first, which must outlive it.
 */
struct problem problem_wider(const struct problem *, double raise);
/*
 * Give the contents of the wider one, which ends, to the first. Indices of the first's contents are not valid after it.
 */
void problem_widen(struct problem *, struct problem *wide);
void problem_wider_free(struct problem *wide);	/* also after that */
void problem_free(struct problem *);

struct candidate candidate_new(const struct problem *);
void candidate_copy(const struct problem *, struct candidate *to, const struct candidate *from);
void candidate_free(struct candidate *);

/* A mix of a content, by its index in the content's front. */
const struct mix *problem_mix(const struct problem *, int content, int mix);

/* May so many layers be before the n-th piece of the model? As far as BLOCK and the pieces' least layers say. */
bool problem_border(const struct problem *, int n, int layers);
/* Layers that the pieces behind the n-th of the model hold at least, and those of a stage. */
int needed_behind(const struct problem *, int n);
int stage_fewest(const struct problem *, int stage);
/*
 * Whether a piece can hold a content, or a layer of a body, where every other piece holds its fewest layers at least
 * and all are in the model's order.
 */
bool piece_can_hold(const struct problem *, int piece, int content);
bool piece_can_have(const struct problem *, int piece, int body);

/* CONTENT[chunks] and MIX[chunks] of a stage's pieces; MIX may be NULL. */
void candidate_stage(const struct problem *, const struct candidate *, int stage, int *content, int *mix);
void candidate_set_mixes(const struct problem *, struct candidate *, int stage, const int *mix);
/*
 * The contents of LAYERS[pieces] in the model's order. False: a piece holds too few layers, or more than any content,
 * or they are not all of the model's.
 */
bool candidate_lay_out(const struct problem *, const int *layers, struct candidate *);
/* Whether the contents are the model's layers in their order, all of them. */
bool candidate_placed(const struct problem *, const struct candidate *);
/* ms of every slot of the evaluator, COST[slots]. */
void candidate_costs(const struct problem *, const struct candidate *, double *cost);
/* ms of each phase of a piece, MS[evaluator.phases], as they are on its stage. */
void phase_times(const struct problem *, int piece, struct times, double *ms);
/* Times of a piece with that content and mix, with the model's head or tail where the piece has it, at pace 1. */
struct times piece_times(const struct problem *, int piece, const struct content *, const struct mix *);
/* Times of the model's head and tail alone, zero where the piece has neither. */
struct times end_times(const struct problem *, int piece);
/* Write a piece's times, as they are on its stage, into its slots of COST[slots]. */
void piece_costs(const struct problem *, int piece, struct times, double *cost);
/*
 * How often a path visits each of the piece's times, times the pace of its stage: its length is the sum of
 * times_product() over the pieces + its delay.
 */
struct times piece_worth(const struct problem *, int piece, const struct visits *);
double times_product(struct times, struct times);
/* MB that are there only while a piece with that content runs, and the least with any content. */
double piece_transient(const struct problem *, int piece, const struct content *);
double piece_least_transient(const struct problem *, int piece);
/*
 * MB at a row of the stage's moments beside parameters and activations, with CONTENT[chunks] in its first chunks: that,
 * and what waits for W alone; and the least of that with any in all of them.
 */
double row_beside(const struct problem *, int stage, int row, const struct content *const content[], int chunks);
double row_least_transient(const struct problem *, int stage, int row);
/*
 * MB of a layer of a body, or of a content, in a row, whatever is alive then: parameters, or at another moment than the
 * pipeline's all that it takes. There row_beside() and row_least_transient() are less by what the ends and parameters
 * take in the other rows, so that sums are of the same form in all rows.
 */
bool row_is_other(const struct problem *, int stage, int row);
double row_parameter(const struct problem *, int stage, int row, const struct body *);
double row_content_parameter(const struct problem *, int stage, int row, const struct content *);
/* The same and what it takes with the micro-batches that are alive then, recomputed as takes least. */
double row_least(const struct problem *, int stage, int row, int chunk, int body);
/* MB of the model's head and tail on the stage, and of the constant. */
double stage_ends(const struct problem *, int stage);
/* MB on the stage that no recomputation changes: CHUNK[chunks] contents' parameters and stage_ends(). */
double stage_fixed(const struct problem *, int stage, const struct content *const chunk[]);

#endif
