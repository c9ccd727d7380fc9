/* Problem: one question put to the planner, and what every part of it needs to know. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "lib/model/network.h"
#include "content.h"
#include "evaluator.h"

/* What is few enough to be listed one by one. Larger questions are answered in other ways, which tests ask for too. */
struct list_limits {
	int contents;		/* of a piece, for a start */
	int combinations;	/* of mixes of a stage's contents, for a settings */
};

struct problem {
	const struct network *net;
	struct shape shape;
	/*
	 * What is planned: the same, except that a mirrored schedule is folded in the middle. There stage s
	 * and the one opposite hold the same two pieces and do the same at the same time, so the two of them are
	 * one stage here, with a micro-batch of one direction for each of the other.
	 */
	int stages, chunks, micro, pieces;
	double comm;		/* ms */
	double *limit;		/* [stages], MB */
	int *limited;		/* [stages], the stage of the shape whose limit that is */
	int *piece;		/* [pieces], where the n-th piece of the model is: chunk * stages + stage */
	int *position;		/* [pieces], the other way round */
	int *plan_piece;		/* [pieces], the piece as chunk * stages + stage of the shape, as plans have it */
	struct evaluator evaluator;
	struct contents contents;
	bool listed;		/* as in contents_new() */
	struct list_limits list_limits;		/* set by problem_new(), to be changed before anything is made of the problem */
};

/* ms of one micro-batch in a piece; or what each of those is worth on a path. */
struct times {
	double forward, backward;
	double weight;		/* the part of backward that a W takes where the schedule splits it */
};

/* A candidate plan: what each piece holds, and how it is recomputed. */
struct candidate {
	int *content;		/* [pieces], index in problem.contents.content */
	int *mix;		/* [pieces], index in that content's mixes */
};

/* The operations of an order that wait for one another, so that it can never run; NULL: it can. To be freed. */
char *problem_cycle(const struct shape *);
/* LISTED: see contents_new(). The network must outlive the problem. */
struct problem problem_new(const struct network *, const struct shape *, double comm, struct list limit, bool listed);
/* Also take in contents so large that they only fit limits raised by RAISE MB; false when there are none. */
bool problem_raise(struct problem *, double raise);
void problem_free(struct problem *);

struct candidate candidate_new(const struct problem *);
void candidate_copy(const struct problem *, struct candidate *to, const struct candidate *from);
void candidate_free(struct candidate *);

/* What a content is recomputed by. */
const struct mix *problem_mix(const struct problem *, int content, int mix);

/*
 * Whether a piece can hold a content, or any layer of a body, beside one layer at least in every other piece, all in
 * the model's order.
 */
bool piece_can_hold(const struct problem *, int piece, int content);
bool piece_can_have(const struct problem *, int piece, int body);

/* The contents of so many LAYERS[pieces], in the model's order; false when one of them holds none, or too many. */
bool candidate_lay_out(const struct problem *, const int *layers, struct candidate *);
/* Are the contents those of the model's layers in their order? */
bool candidate_placed(const struct problem *, const struct candidate *);
/* Time of every slot of the order. COST[order.slots] */
void candidate_costs(const struct problem *, const struct candidate *, double *cost);
/* Times of one piece holding CONTENT recomputed by MIX, ends of the model included. */
struct times piece_times(const struct problem *, int piece, const struct content *, const struct mix *);
/* Of the model's ends alone. */
struct times end_times(const struct problem *, int piece);
void piece_costs(const struct problem *, int piece, struct times, double *cost);
/* How much a path (or a mean of paths) gains by the times of a piece. */
struct times piece_worth(const struct problem *, int piece, const struct visits *);
double times_product(struct times, struct times);
/* MB of the model's ends and the constant. */
double stage_ends(const struct problem *, int stage);
/* MB on the stage whatever is recomputed, for the contents of its chunks. */
double stage_fixed(const struct problem *, int stage, const struct content *const chunk[]);

/* Rounding allowed when memory is compared with its limit, MB. */
#define MEMORY_SLACK 1e-7

#endif
