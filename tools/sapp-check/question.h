/*
 * Question: the question of a certificate, from the records alone, by the definitions of sapp(7) and sapp-record(5):
 * exact times and memory of layers, limits, order of operations. Shares no code with the planner.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "lib/target/holding.h"
#include "ledger.h"

enum { NO_KIND = RECOMPUTE_KINDS };	/* a piece without a layer that restricts the next kinds */

struct check_body {			/* layers of one name, in model order */
	const char *name;
	bool end;		/* an unbound HEAD or TAIL: never recomputed */
	bool tail;		/* of the TAIL, if end */
	bool predicts;		/* multi-token prediction */
	int layers;
	bool has[RECOMPUTE_KINDS];
	/* Numbers of figures in the ledgers: ms per micro-batch; MB */
	int forward, backward[RECOMPUTE_KINDS];
	int parameter, transient, floor, activation[RECOMPUTE_KINDS];
};

struct check_end {			/* bound HEAD layers, on the first stage, or TAIL layers, on the last */
	bool there;
	int forward, backward, parameter, transient;
};

struct check_operation {
	bool forward;
	int chunk, micro;
};

/* Properties of a schedule that proofs use. */
struct rule {
	const char *name;
	enum { ORDER_ANY, ORDER_ALL_FIRST, ORDER_LESS_FIRST, ORDER_MORE_FIRST } order;
	int chunks;	/* of a stage; 0: any number, round over the stages; 2: the second one goes back */
};
const struct rule *rule_find(const char *name);		/* NULL: proofs do not know it */

struct check_question {
	const struct pipeline *asked;
	const struct plan *plan;	/* the answer */
	const struct rule *rule;
	int chunks, pieces;
	/* The order depends on times, or is unknown: only what holds for all orders is used. */
	bool any_order;
	bool unsimulated;		/* the plan's step is unknown here */
	struct check_operation *order;	/* [stages][operations] */
	struct ledger ms, mb;
	int nbodies, layers;
	struct check_body *body;
	struct check_end head, tail;
	int constant, *limit;	/* [stages], MB, including the tolerance */
	/* of time 1: its factor on a stage; a separate ledger, whose parts divide those of ms again */
	struct ledger pace;
	int *paces;		/* [stages] */
	int *delay;		/* [stages], ms to the next stage, from the last to the first */
	int *late, rest;	/* [stages], ms after a stage's operations, and after all operations */
	int bound;		/* ms, claimed to be below every step; -1: no plan fits */
	/* whether a layer of the second kind may follow a layer of the first kind in a piece */
	bool follows[RECOMPUTE_KINDS + 1][RECOMPUTE_KINDS];
	bool any_mix;		/* all of these */
	struct holding holding;	/* allowed contents of pieces by the plan's target */
	struct shape shape;
};

/*
 * Build the question of the plan NAME; BOUND: the claim, NULL: no plan fits. Exits, naming the reason, if certificates
 * do not cover it; AT: the certificate. RECORDS must outlive it.
 */
void question_open(struct check_question *, const struct records *, const char *name, const double *bound,
    struct place at);
void check_question_free(struct check_question *);
/* Get the model's head and tail on the piece; return their number. */
int question_ends(const struct check_question *, int stage, int chunk, const struct check_end *at[2]);
/* Return whether a piece may hold COUNT[bodies] layers, by the question and the plan's target. */
bool question_holds(const struct check_question *, int stage, int chunk, const int *count);
/* Return the position of a piece in model order. */
int question_position(const struct check_question *, int stage, int chunk);
void question_order(struct check_question *);		/* fill in q->order */
int question_operations(const struct check_question *);	/* of a stage */
struct check_operation question_operation(const struct check_question *, int stage, int n);
/* Get an operation's dependency other than its predecessor on the stage. Return false if none exists. */
bool question_waits(const struct check_question *, int stage, struct check_operation, int *from,
    struct check_operation *of);
/* Return the boundary that data cross between two stages; -1 if none exists. */
int question_edge(const struct check_question *, int from, int to);

/* Moments of a stage at which memory may be at its maximum, without dominated ones. */
struct moments {
	int n;
	int *live;		/* [n][chunks], micro-batches with live activations */
	int *runs;		/* [n], the running chunk */
};
struct moments question_moments(const struct check_question *, int stage);
void moments_free(struct moments *);

#endif
