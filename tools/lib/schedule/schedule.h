/* Schedules: the order of the operations on each stage, and the dependencies between operations. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One row per schedule: enum, name, description (scheme.h). The row "custom" is for orders from a file. */
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
	PHASE_W,	/* weight gradient, part of a split backward */
	PHASE_I,	/* input gradient, part of a split backward; often called B as well */
	PHASES
};
extern const char *const phase_names[PHASES + 1];	/* letters used in block records */
extern const char *const phase_words[PHASES];

/* The shape of a pipeline. */
struct shape {
	enum schedule_kind kind;
	int stages;
	int chunks;	/* number of model chunks per stage */
	int micro;	/* number of micro-batches */
	int splits;	/* number of parts that each sequence is split into; 0: not split */
	int group;	/* number of micro-batches that a chunk runs before the next chunk; 0: number of stages */
	const char *order;	/* order of a custom schedule, one line per stage: schedule_custom.c */
	bool fixed;		/* the order does not depend on times: lib/order/timed_schedule.h */
};

struct op {
	uint32_t micro;	/* number of the micro-batch; with splits, number of the unit: micro-batch x splits + split */
	uint16_t chunk;
	uint8_t phase;		/* enum phase */
	uint8_t joined;		/* 1: it overlaps the next operation on its stage; 2: it overlaps the previous one */
};

struct schedule {
	struct shape shape;
	int stages, chunks;
	int micro;		/* number of units per chunk: micro-batches x splits */
	int planes;		/* kinds of results per piece: 2, or 3 with split backwards */
	/* slots from a piece's results of one kind to its results of the next kind: micro, plus padding */
	int stride;
	size_t *first;		/* index in op of each stage's first operation, [stage + 1] */
	struct op *op;		/* operations of all stages, each stage's in order */
	/* the piece that data come from, the piece that they go to, [chunk x stages + stage]; -1: none */
	int *before, *after;
};

/* The operation that another operation depends on, other than the previous one of its stage. */
struct need {
	int stage;		/* -1: none */
	struct op op;
};

/*
 * Return why a schedule of this shape is impossible, such as an invalid number of chunks or too many operations; or
 * NULL.
 */
const char *schedule_problem(const struct shape *);
/* Return the schedule of a valid shape. Caller frees it with schedule_free(). */
struct schedule schedule_new(const struct shape *);
/* Return a copy of the operations and the placement, for reordering. */
struct schedule schedule_copy(const struct schedule *);
/* Return the position, chunk x stages + stage, of each piece of the model in data order. Caller frees. */
int *schedule_pieces(const struct shape *);
/* Return the number of chunks per stage that the schedule needs; 0: any number. */
int schedule_chunks(enum schedule_kind);
/* Return whether every stage also holds the piece of the opposite stage. A load of one chunk then represents both. */
bool schedule_mirrored(enum schedule_kind);
const struct scheme *schedule_scheme(enum schedule_kind);
/* Return whether a search for free orders can start from the schedule's order. */
bool schedule_begins(const struct shape *);
/* Return the default schedule of a pipeline. LESS: with several chunks, choose the schedule that needs less memory. */
enum schedule_kind schedule_usual(int chunks, bool less);
/*
 * Return whether bounds for the schedule can be certified. The positions of its pieces must not depend on the question.
 */
bool schedule_provable(enum schedule_kind);
void schedule_free(struct schedule *);
size_t schedule_ops(const struct schedule *);
/*
 * Return the number of slots for results, some of them unused. Return the slot of an operation's result. Both kinds of
 * backward share a slot.
 */
size_t schedule_slots(const struct schedule *);
size_t schedule_slot(const struct schedule *, int stage, struct op);
/*
 * Return whether the schedule has operations in OP's phase and chunk. Weight gradients exist only if backwards are
 * split.
 */
bool schedule_occurs(const struct schedule *, struct op);
struct need schedule_need(const struct schedule *, int stage, struct op);
/* Return the stage that receives an operation's result; -1: the result stays on its stage, or does not exist. */
int schedule_receiver(const struct schedule *, int stage, struct op);
/*
 * Return the number of an operation's transfers, at most two: its input from another stage, its output to another
 * stage.
 */
int schedule_posts(const struct schedule *, int stage, struct op);

/* Return why an order of this shape cannot be written, or NULL. Write an order as the lines of a custom schedule. */
const char *schedule_order_problem(const struct shape *);
void schedule_order_write(FILE *, const struct schedule *);

#endif
