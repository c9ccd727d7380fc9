/* Load: times and memory of every piece of a pipeline, from any source. */
#ifndef LOAD_H
#define LOAD_H

#include <stdbool.h>

#include "lib/model/network.h"
#include "lib/record/chunks.h"
#include "lib/record/pipeline.h"
#include "lib/record/plan.h"
#include "lib/schedule/schedule.h"

struct load {
	int chunks, stages;
	struct table forward, backward;	/* ms per micro-batch */
	struct table plain;		/* ms, backward without any recomputation */
	struct table weight;		/* ms, weight gradient part of backward */
	struct table activation;	/* MB per micro-batch, from the end of forward to the end of backward */
	struct table kept;		/* MB that a B leaves to its W */
	/* MB in use only while an operation of the piece runs; empty: none */
	struct table transient;
	struct list fixed;		/* MB on a stage at all times: parameters and constant */
	struct list floor;		/* MB on a stage at a moment outside the pipeline; n = 0: unknown */
	double together;		/* time of an overlapped forward and backward / sum of their times */
	double comm;			/* ms between stages */
	enum transfer_mode transfers;
	struct list send[2];		/* ms before a send, of forward and of backward data, by edge; n = 0: none */
	double post;			/* ms a stage needs to start a send or a receive */
	/* ms outside the pipeline, and its part directly after the stage's own operations; n = 0: none */
	struct list overhead, early;
	struct table factor[2];		/* factors of forwards and backwards, [piece or 1][unit]; empty: all 1 */
	struct list edge;		/* ms between stage s and s + 1, instead of comm; n = 0: unset */
};

struct load load_from_chunks(const struct chunks *);
/* Exit, naming AT, unless the plan places every layer of the network in order on the stages of a valid schedule. */
void load_check(const struct plan *, const struct network *, const struct shape *, struct place at);
/* Exit, naming AT, if the memory of a kind used by the plan is unknown while other kinds' is known. */
void load_check_measured(const struct plan *, const struct network *, struct place at);
/* Return the layers of a body on a piece of a plan; ORDER: schedule_pieces(). */
int load_layers(const struct plan *, const struct body *, int piece, const int *order);
/* Return the load of a checked plan. */
struct load load_from_plan(const struct plan *, const struct network *, const struct shape *, const struct devices *);
/* Return a load of equal pieces: the network's times without recomputation, 1 MB per piece and micro-batch. */
struct load load_even(const struct network *, const struct shape *, const struct devices *);
/* Expand factors of MICRO micro-batches, or one for all, to the SPLITS units of each; TABLE empty: none. */
struct table load_factor(struct table, int micro, int splits);
/* Return the factors of the times of an operation's piece, by unit, or NULL if all are 1. */
const double *load_factors(const struct load *, int stage, struct op);
/* Return the MB in use only while an operation of the piece runs. */
double load_transient(const struct load *, int chunk, int stage);
void load_free(struct load *);
/* Set one delay for all boundaries, or one per boundary (and last, from the last stage to the first). */
void load_delay_set(struct load *, struct list delay);
/* Divide the times of every stage by its speed; n = 0: keep. */
void load_speed_set(struct load *, struct list speed);
/* Return the ms of a transfer between stages. */
double load_delay(const struct load *, int from, int to);
/* Return the ms on the sender's own stream before it sends the data of a forward or backward. */
double load_send_delay(const struct load *, int from, int to, enum phase);
/* Return the sum of both, for hidden data of an operation. */
double load_arrival(const struct load *, int from, int to, struct op);
/* Return whether any part of transfers takes time. */
bool load_delayed(const struct load *);
/* Return the load without transfer times; its lists are shared. */
struct load load_undelayed(const struct load *);

#endif
