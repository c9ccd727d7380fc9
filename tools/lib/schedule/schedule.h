/* Schedules: the order of operations on each stage, and their dependencies. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One row per schedule: enum, name, description (scheme.h). Custom stands for an order from a file. */
#define SCHEDULES(ROW) \
	ROW(SCHEDULE_GPIPE, "gpipe", scheme_gpipe) \
	ROW(SCHEDULE_1F1B, "1f1b", scheme_1f1b) \
	ROW(SCHEDULE_VPP, "vpp", scheme_vpp) \
	ROW(SCHEDULE_VPP_LESS, "vpp-less", scheme_vpp_less) \
	ROW(SCHEDULE_VPP_OVERLAP, "vpp-overlap", scheme_vpp_overlap) \
	ROW(SCHEDULE_ZB_H1, "zb-h1", scheme_zb_h1) \
	ROW(SCHEDULE_ZB_H2, "zb-h2", scheme_zb_h2) \
	ROW(SCHEDULE_ZB_VPP, "zb-vpp", scheme_zb_vpp) \
	ROW(SCHEDULE_ZBV, "zbv", scheme_zbv) \
	ROW(SCHEDULE_V_HALF, "v-half", scheme_v_half) \
	ROW(SCHEDULE_V_MIN, "v-min", scheme_v_min) \
	ROW(SCHEDULE_V_AUTO, "v-auto", scheme_v_auto) \
	ROW(SCHEDULE_DUALPIPE, "dualpipe", scheme_dualpipe) \
	ROW(SCHEDULE_DUALPIPEV, "dualpipev", scheme_dualpipev) \
	ROW(SCHEDULE_ZERO_BUBBLE_V, "zero-bubble-v", scheme_zero_bubble_v) \
	ROW(SCHEDULE_CUSTOM, "custom", scheme_custom)

#define SCHEDULE_ENUM(kind, name, order) kind,
enum schedule_kind { SCHEDULES(SCHEDULE_ENUM) SCHEDULE_KINDS };
struct scheme;
extern const char *const schedule_names[SCHEDULE_KINDS + 1];

enum phase {
	PHASE_F,	/* forward */
	PHASE_B,	/* backward */
	PHASE_W,	/* weight gradient part of a backward */
	PHASE_I,	/* input gradient part of a backward; also called B */
	PHASES
};
extern const char *const phase_names[PHASES + 1];	/* as in block records */
extern const char *const phase_words[PHASES];

/* The shape of a pipeline. */
struct shape {
	enum schedule_kind kind;
	int stages;
	int chunks;	/* model chunks per stage */
	int micro;	/* micro-batches */
	int splits;	/* sequence splits per micro-batch; 0: not split */
	int group;	/* micro-batches that a chunk runs in turn; 0: number of stages */
	const char *order;	/* of a custom schedule: one line per stage, schedule_custom.c */
	bool fixed;		/* the order ignores times: lib/simulate/timed_schedule.h */
};

struct op {
	uint32_t micro;		/* micro-batch; with splits, micro-batch x splits + split */
	uint16_t chunk;
	uint8_t phase;		/* enum phase */
	uint8_t joined;		/* 1: overlaps the next operation on its stage; 2: the previous one */
};

struct schedule {
	struct shape shape;
	int stages, chunks;
	int micro;		/* units per chunk: micro-batches x splits */
	int planes;		/* kinds of results: 2, or 3 with split backwards */
	int stride;		/* slots between a piece's results of one kind and the next kind: micro plus padding */
	size_t *first;		/* [stages + 1]: start of each stage's operations in op */
	struct op *op;		/* in execution order per stage */
	int *before, *after;	/* [chunk x stages + stage]: the piece that data come from and go to, -1: none */
};

/* An operation that another operation requires, in addition to its predecessor on the stage. */
struct need {
	int stage;		/* -1: none */
	struct op op;
};

/* Return what is wrong with the question, or NULL: impossible interleaving, or too many operations. */
const char *schedule_problem(const struct shape *);
/* Return the orders of all stages for a valid question; free with schedule_free(). */
struct schedule schedule_new(const struct shape *);
/* Copy the operations and placement, to be reordered. */
struct schedule schedule_copy(const struct schedule *);
/* Return the place of each piece of the model in data order: chunk x stages + stage. Caller frees. */
int *schedule_pieces(const struct shape *);
/* Return the number of chunks per stage, 0 if any number is possible. */
int schedule_chunks(enum schedule_kind);
/*
 * Return whether every stage also holds the piece of the opposite stage. Then a load of one chunk represents two
 * chunks.
 */
bool schedule_mirrored(enum schedule_kind);
const struct scheme *schedule_scheme(enum schedule_kind);
/* Return whether a free order can start from the schedule's order. */
bool schedule_begins(const struct shape *);
/* Return the default schedule of a pipeline; LESS: with several chunks, the one with less memory. */
enum schedule_kind schedule_usual(int chunks, bool less);
/* Return whether its bound is provable: the places of its pieces must not depend on the question. */
bool schedule_provable(enum schedule_kind);
void schedule_free(struct schedule *);
size_t schedule_ops(const struct schedule *);
/* Slot numbers of results, below schedule_slots(), some unused. Both kinds of backward share a slot. */
size_t schedule_slots(const struct schedule *);
size_t schedule_slot(const struct schedule *, int stage, struct op);
/* Return whether the schedule has operations of this phase. Only orders with split backwards have all phases. */
bool schedule_occurs(const struct schedule *, struct op);
struct need schedule_need(const struct schedule *, int stage, struct op);
/* Return the stage that an operation sends its result to; -1 if the result stays or does not exist. */
int schedule_receiver(const struct schedule *, int stage, struct op);
/* Return the number of an operation's transfers: its input from another stage, and its output to another stage. */
int schedule_posts(const struct schedule *, int stage, struct op);

/* Return why its order cannot be written, or NULL; write it as the lines of a custom schedule. */
const char *schedule_order_problem(const struct shape *);
void schedule_order_write(FILE *, const struct schedule *);

#endif
