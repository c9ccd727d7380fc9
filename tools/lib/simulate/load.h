/* A load: times and memory of every piece of a pipeline, from any source. Tables are [chunk][stage]. */
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
	struct table weight;		/* ms, the part of backward that computes weight gradients */
	/* MB per micro-batch, held from the start of the forward to the end of the backward */
	struct table activation;
	struct table kept;	/* MB, the part of activation that is held from the B to the W of a split backward */
	/* MB in use only while an operation of the piece runs; empty: none */
	struct table transient;
	struct list fixed;		/* MB in use on each stage at all times: parameters and constant */
	struct list floor;		/* MB in use on each stage at a moment outside the pipeline; empty: unknown */
	double together;		/* time of an overlapped forward and backward / sum of their times */
	double comm;			/* ms of a transfer between stages */
	enum transfer_mode transfers;
	/*
	 * ms on the sender's stream before it sends data, [0] of a forward, [1] of a backward, by boundary; empty: none
	 */
	struct list send[2];
	double post;			/* ms that a stage needs to start a send or a receive */
	/*
	 * ms of the step outside the pipeline, [stage]; early: the part that starts when the stage's own operations
	 * have ended; empty: none
	 */
	struct list overhead, early;
	/* factors of the times, [0] of forwards, [1] of backwards, [piece or 1][unit]; empty: all 1 */
	struct table factor[2];
	struct list edge;		/* ms of a transfer between stages s and s + 1, replaces comm; empty: unset */
};

struct load load_from_chunks(const struct chunks *);
/*
 * Exit, naming AT, unless the schedule is valid and the plan places every layer of the network on its stages in model
 * order.
 */
void load_check(const struct plan *, const struct network *, const struct shape *, struct place at);
/*
 * Exit, naming AT, if the plan uses a kind whose memory was not measured for a layer, while other kinds of the layer
 * were measured.
 */
void load_check_measured(const struct plan *, const struct network *, struct place at);
/* Return the number of layers of a body on a piece of a plan. ORDER: result of schedule_pieces(). */
int load_layers(const struct plan *, const struct body *, int piece, const int *order);
/* Return the load of a plan that load_check() has accepted. */
struct load load_from_plan(const struct plan *, const struct network *, const struct shape *, const struct devices *);
/*
 * Return a load of equal pieces with the times of the network without recomputation. Each piece has 1 MB of activations
 * per micro-batch.
 */
struct load load_even(const struct network *, const struct shape *, const struct devices *);
/*
 * Expand a table of factors to units. Each row has MICRO factors, or one for all micro-batches. A micro-batch has
 * SPLITS units. Return an empty table if TABLE is empty.
 */
struct table load_factor(struct table, int micro, int splits);
/* Return the factors, by unit, of the times of operations like OP, or NULL if all are 1. */
const double *load_factors(const struct load *, int stage, struct op);
/* Return the MB in use only while an operation of the piece runs. */
double load_transient(const struct load *, int chunk, int stage);
void load_free(struct load *);
/*
 * Set the ms of transfers: one number for all boundaries, or one per boundary. An optional last number is for the
 * boundary from the last stage to the first.
 */
void load_delay_set(struct load *, struct list delay);
/* Divide the times of every stage by its speed. If the list is empty, keep the times. */
void load_speed_set(struct load *, struct list speed);
/* Return the ms of a transfer between stages. */
double load_delay(const struct load *, int from, int to);
/* Return the ms on the sender's stream before it sends the data of an operation in this phase. */
double load_send_delay(const struct load *, int from, int to, enum phase);
/*
 * Return the ms from the end of an operation to the arrival of its data: send delay and transfer. For hidden transfers.
 */
double load_arrival(const struct load *, int from, int to, struct op);
/* Return whether any transfer takes time. */
bool load_delayed(const struct load *);
/* Return the same load without transfer times. Both share their lists. */
struct load load_undelayed(const struct load *);

#endif
