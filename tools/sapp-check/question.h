/*
 * Question: what a certificate is about, from the records alone, by the definitions of sapp(7) and sapp-record(5):
 * exact times and memory of layers, limits, the order of operations. Nothing here is the planner's.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "lib/target/holding.h"
#include "ledger.h"

enum { NO_KIND = RECOMPUTE_KINDS };	/* a piece in which no layer says yet what the next ones may be */

struct body {			/* layers of one name, which stand in the model's order */
	const char *name;
	bool end;		/* a HEAD or TAIL that is not bound: never recomputed */
	bool tail;		/* of those a TAIL */
	bool predicts;		/* further tokens */
	int layers;
	bool has[RECOMPUTE_KINDS];
	/* Figures of the question's ledgers: ms of a micro-batch; MB */
	int forward, backward[RECOMPUTE_KINDS];
	int parameter, transient, floor, activation[RECOMPUTE_KINDS];
};

struct end {			/* all bound HEAD layers, on the first stage, or TAIL layers, on the last */
	bool there;
	int forward, backward, parameter, transient;
};

struct operation {
	bool forward;
	int chunk, micro;
};

/* What proofs take of a schedule, by its name. */
struct rule {
	const char *name;
	enum { ORDER_ANY, ORDER_ALL_FIRST, ORDER_LESS_FIRST, ORDER_MORE_FIRST } order;
	int chunks;	/* of a stage; 0: any number, round over the stages. 2: the second one from the last stage back */
};
const struct rule *rule_find(const char *name);		/* NULL: proofs do not know it */

struct question {
	const struct pipeline *asked;
	const struct plan *plan;	/* the answer */
	const struct rule *rule;
	int chunks, pieces;
	/* Its order looks at times, or is not known for other reasons: only what all orders have is known. */
	bool any_order;
	bool unsimulated;		/* the plan's step is not known here */
	struct operation *order;	/* [stages][operations] */
	struct ledger ms, mb;
	int nbodies, layers;
	struct body *body;
	struct end head, tail;
	int constant, *limit;	/* [stages], MB with what a plan is granted */
	/* of time 1: what a stage's layers take of it; a ledger of its own, whose parts divide those of ms once more */
	struct ledger pace;
	int *paces;		/* [stages] */
	int *delay;		/* [stages], ms from each to the next, from the last to the first */
	int *late, rest;	/* [stages], ms behind a stage's operations, and behind all of them */
	int bound;		/* ms, claimed to be below every step; -1: no plan fits */
	/* Whether a layer of the second kind may come behind one of the first in a piece. */
	bool follows[RECOMPUTE_KINDS + 1][RECOMPUTE_KINDS];
	bool any_mix;		/* always */
	struct holding holding;	/* what pieces may hold by the plan's target */
	struct shape shape;
};

/*
 * The question of the plan called NAME; BOUND: the claim, NULL: that no plan fits. Exits, naming what it is, where
 * certificates do not reach; AT: the certificate. RECORDS must outlive it.
 */
void question_open(struct question *, const struct records *, const char *name, const double *bound, struct place at);
void question_free(struct question *);
/* The model's head and tail where the piece has them; how many. */
int question_ends(const struct question *, int stage, int chunk, const struct end *at[2]);
/* May a piece hold COUNT[bodies] layers, by the question and the plan's target? */
bool question_holds(const struct question *, int stage, int chunk, const int *count);
/* Where a piece is in the model's order. */
int question_position(const struct question *, int stage, int chunk);
void question_order(struct question *);		/* lay out q->order */
int question_operations(const struct question *);	/* of a stage */
struct operation question_operation(const struct question *, int stage, int n);
/* What it waits for, besides the one before it on its stage; false: nothing. */
bool question_waits(const struct question *, int stage, struct operation, int *from, struct operation *of);
/* The boundary between two stages that data cross; -1: none. */
int question_edge(const struct question *, int from, int to);

/* Moments of a stage, one of which its memory is the most at; those left out have no more than another. */
struct moments {
	int n;
	int *live;		/* [n][chunks], micro-batches whose activations it holds */
	int *runs;		/* [n], the chunk that runs */
};
struct moments question_moments(const struct question *, int stage);
void moments_free(struct moments *);

#endif
