/* Load: the time and memory of every piece of a pipeline, whatever they were derived from. */
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
	struct table forward, backward;	/* ms a micro-batch */
	struct table plain;		/* ms, backward without any recomputation */
	struct table weight;		/* ms, the part of backward that a W takes */
	struct table activation;	/* MB a micro-batch, from the end of forward to the end of backward */
	struct table kept;		/* MB of it that a B leaves to its W */
	/* MB, there only while an operation of the piece runs; without entries: none */
	struct table transient;
	struct list fixed;		/* MB on a stage whatever runs: parameters and constant */
	struct list floor;		/* MB on a stage at another moment than the pipeline's; n = 0: none known */
	double together;		/* time of a forward and a backward run together, over their sum */
	double comm;			/* ms from one stage to another */
	enum transfer_mode transfers;
	struct list send[2];		/* ms before a send, of forward and of backward data, by edge; n = 0: none */
	double post;			/* ms that it takes a stage to begin a send or a receive */
	/* ms outside the pipeline, and of that right behind the stage's own operations; n = 0: none */
	struct list overhead, early;
	struct table factor[2];		/* of forwards and of backwards, [piece or 1][unit]; without entries: all 1 */
	struct list edge;		/* ms between stage s and s + 1, instead of comm; n = 0: none given */
};

struct load load_from_chunks(const struct chunks *);
/*
 * Exit naming AT unless the plan places every layer of the network, in order, on the stages of a schedule that can
 * be.
 */
void load_check(const struct plan *, const struct network *, const struct shape *, struct place at);
/*
 * Exit naming AT if a plan has layers with a kind of recomputation whose memory is unknown, while that of other kinds
 * is known.
 */
void load_check_measured(const struct plan *, const struct network *, struct place at);
/* Layers of a body that a plan has on a piece; ORDER: schedule_pieces(). */
int load_layers(const struct plan *, const struct body *, int piece, const int *order);
/* Counts of a plan laid over a network, all of which has been checked. */
struct load load_from_plan(const struct plan *, const struct network *, const struct shape *, const struct devices *);
/* The network's times without recomputation, the same for every piece, which holds 1 MB for a micro-batch. */
struct load load_even(const struct network *, const struct shape *, const struct devices *);
/*
 * Factors of MICRO micro-batches, or one for all of them, as those of the SPLITS units of each; TABLE without entries:
 * none.
 */
struct table load_factor(struct table, int micro, int splits);
/* The factors of an operation's piece, by unit; NULL: all 1. */
const double *load_factors(const struct load *, int stage, struct op);
/* MB that are there only while an operation of the piece runs. */
double load_transient(const struct load *, int chunk, int stage);
void load_free(struct load *);
/* One delay everywhere, or one for each pair of neighbours (and last, from the last stage to the first). */
void load_delay_set(struct load *, struct list delay);
/* Divide the times of every stage by its speed; n = 0: none. */
void load_speed_set(struct load *, struct list speed);
/* ms that data take from one stage to another. */
double load_delay(const struct load *, int from, int to);
/* ms more that the sender needs on its own stream before it sends the data of a forward or a backward. */
double load_send_delay(const struct load *, int from, int to, enum phase);
/* Both, of hidden data for an operation. */
double load_arrival(const struct load *, int from, int to, struct op);
/* Does anything of transfers take time? */
bool load_delayed(const struct load *);
/* The same, where data are there at once; lists are the other's. */
struct load load_undelayed(const struct load *);

#endif
