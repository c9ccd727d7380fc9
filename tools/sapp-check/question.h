/*
 * Question: what a certificate is about, from the records alone, by the definitions of sapp(7) and sapp-record(5):
 * exact times and memory of layers, limits, the order of operations. Nothing here is the planner's.
 */
#ifndef QUESTION_H
#define QUESTION_H

#include "lib/record/record.h"
#include "ledger.h"

enum { NO_KIND = RECOMPUTE_KINDS };	/* a piece in which no layer says yet what the next ones may be */

struct body {			/* layers of one name, which stand in the model's order */
	const char *name;
	bool end;		/* a HEAD or TAIL that is not bound: never recomputed */
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

struct question {
	const struct pipeline *asked;
	const struct plan *plan;	/* the answer */
	struct ledger ms, mb;
	int nbodies, layers;
	struct body *body;
	struct end head, tail;
	int constant, *limit;	/* [stages], MB with what a plan is granted */
	/* of time 1: what a stage's layers take of it; a ledger of its own, whose parts divide those of ms once more */
	struct ledger pace;
	int *paces;		/* [stages] */
	int *delay;		/* [stages], ms from each to the next */
	int *late, rest;	/* [stages], ms behind a stage's operations, and behind all of them */
	int bound;		/* ms, claimed to be below every step; -1: no plan fits */
	/* Whether a layer of the second kind may come behind one of the first in a piece. */
	bool follows[RECOMPUTE_KINDS + 1][RECOMPUTE_KINDS];
	bool any_mix;		/* always */
};

/*
 * The question of the plan called NAME; BOUND: the claim, NULL: that no plan fits. Exits, naming what it is, where
 * certificates do not reach; AT: the certificate. RECORDS must outlive it.
 */
void question_open(struct question *, const struct records *, const char *name, const double *bound, struct place at);
void question_free(struct question *);
/* Operations of a stage in its order: 2 * micro-batches of them. */
struct operation {
	bool forward;
	int micro;
};
struct operation question_operation(const struct question *, int stage, int n);
int question_live(const struct question *, int stage);	/* micro-batches that it holds at most */
/* Does the operation TO of a stage wait for FROM of another? *EDGE: the boundary between them. */
bool question_needs(const struct question *, int from_stage, int from, int to_stage, int to, int *edge);

#endif
