/*
 * Question: the question of a certificate, from the records alone, as sapp(7) and sapp-record(5) define it. It has the
 * exact times and memory of layers, the limits and the order of operations. Shares no code with the planner.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "lib/target/holding.h"
#include "ledger.h"

enum { NO_KIND = RECOMPUTE_KINDS };	/* kind of a piece in which no layer restricts the next kinds */

struct check_body {			/* layers of one name; bodies are in model order */
	const char *name;
	bool end;		/* an unbound HEAD or TAIL layer, which is never recomputed */
	bool tail;		/* with end: a TAIL layer */
	bool predicts;		/* a layer of multi-token prediction */
	int layers;
	bool has[RECOMPUTE_KINDS];
	/* Indices in the ledgers: ms per micro-batch; MB. */
	int forward, backward[RECOMPUTE_KINDS];
	int parameter, transient, floor, activation[RECOMPUTE_KINDS];
};

struct check_end {			/* bound HEAD layers, in the first piece, or TAIL layers, in the last */
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
	int chunks;	/* chunks per stage; 0: any number, passed stage by stage; 2: the second chunk goes back */
};
const struct rule *rule_find(const char *name);		/* NULL: proofs do not support the schedule */

struct check_question {
	const struct pipeline *asked;
	const struct plan *plan;	/* the plan whose bound is proved */
	const struct rule *rule;
	int chunks, pieces;
	/* The order depends on times, or is unknown. Only properties of all orders are used. */
	bool any_order;
	bool unsimulated;		/* the step of the plan cannot be computed here */
	struct check_operation *order;	/* [stages][operations] */
	struct ledger ms, mb;
	int nbodies, layers;
	struct check_body *body;
	struct check_end head, tail;
	/* index of the constant memory; [stages], index of each limit, MB, with the tolerance */
	int constant, *limit;
	/* factors of times by stage; a separate ledger, so parts of ms and of pace are multiplied */
	struct ledger pace;
	int *paces;		/* [stages] */
	int *delay;		/* [stages], ms of a transfer to the next stage, from the last to the first */
	int *late, rest;	/* [stages], ms after a stage's operations; ms after all operations */
	int bound;		/* ms, claimed to be below every step; -1: the claim is that no plan fits */
	/* whether a layer of the second kind may follow a layer of the first kind in a piece */
	bool follows[RECOMPUTE_KINDS + 1][RECOMPUTE_KINDS];
	bool any_mix;		/* whether any layer may follow any other */
	struct holding holding;	/* contents that the plan's target allows */
	struct shape shape;
};

/*
 * Create the question of the plan NAME. BOUND: the claim; NULL: no plan fits. Exits with the reason if certificates do
 * not cover the question. AT: the certificate. RECORDS must outlive the question.
 */
void question_open(struct check_question *, const struct records *, const char *name, const double *bound,
    struct place at);
void check_question_free(struct check_question *);
/* Get the model's head and tail, if the piece has them, in AT. Return their number. */
int question_ends(const struct check_question *, int stage, int chunk, const struct check_end *at[2]);
/* Return whether the question and the plan's target allow COUNT[bodies] layers in a piece. */
bool question_holds(const struct check_question *, int stage, int chunk, const int *count);
/* Return the position of a piece in model order. */
int question_position(const struct check_question *, int stage, int chunk);
void question_order(struct check_question *);		/* set q->order */
int question_operations(const struct check_question *);	/* return the number of operations of a stage */
struct check_operation question_operation(const struct check_question *, int stage, int n);
/* Get the dependency of an operation in addition to its predecessor on the stage. Return false if none exists. */
bool question_waits(const struct check_question *, int stage, struct check_operation, int *from,
    struct check_operation *of);
/* Return the boundary that data cross between two stages; -1: none. */
int question_edge(const struct check_question *, int from, int to);

/* Moments at which the memory of a stage may be at its maximum. Dominated moments are omitted. */
struct moments {
	int n;
	int *live;		/* [n][chunks], number of micro-batches with live activations */
	int *runs;		/* [n], the chunk that runs */
};
struct moments question_moments(const struct check_question *, int stage);
void moments_free(struct moments *);

#endif
