/* Schedules: in which order each stage runs its operations, and what each of them waits for. */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One row a schedule: enum, name, and its description (scheme.h). Custom is none, but an order by hand. */
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
	PHASE_W,	/* the part of a backward that gives the weights' gradients */
	PHASE_I,	/* the part that gives the input's gradient; called B as well */
	PHASES
};
extern const char *const phase_names[PHASES + 1];	/* as in block records */
extern const char *const phase_words[PHASES];

/* What is asked for. */
struct shape {
	enum schedule_kind kind;
	int stages;
	int chunks;	/* model chunks a stage */
	int micro;	/* micro-batches */
	int splits;	/* sequence splits of a micro-batch; 0: not split */
	int group;	/* micro-batches that take turns in a chunk; 0: as many as stages */
	const char *order;	/* of a custom schedule: one line a stage, schedule_custom.c */
	bool fixed;		/* the order does not look at times: lib/simulate/timed_schedule.h */
};

struct op {
	uint32_t micro;		/* micro-batch; with splits, micro-batch x splits + split */
	uint16_t chunk;
	uint8_t phase;		/* enum phase */
	uint8_t joined;		/* 1: runs together with the next one on its stage; 2: with the one before */
};

struct schedule {
	struct shape shape;
	int stages, chunks;
	int micro;		/* units that go through a chunk: micro-batches x splits */
	int planes;		/* kinds of results: 2, or 3 where backwards are split */
	int stride;		/* slots from a piece's results of one kind to its next: micro, and some */
	size_t *first;		/* [stages + 1]: where each stage's operations begin in op */
	struct op *op;		/* in the order in which the stage runs them */
	int *before, *after;	/* [chunk x stages + stage]: the piece data come from and go to, -1: none */
};

/* The operation that another one waits for, besides the one before it on its stage. */
struct need {
	int stage;		/* -1: it waits for none */
	struct op op;
};

/* What is wrong with the question, or NULL: interleaving a schedule cannot do, or too many operations. */
const char *schedule_problem(const struct shape *);
/* Orders of all stages for a question without a problem. Free with schedule_free(). */
struct schedule schedule_new(const struct shape *);
/* The same operations and places, to be put into another order. */
struct schedule schedule_copy(const struct schedule *);
/* Where each piece of the model is, in the order of the data: chunk x stages + stage. To be freed. */
int *schedule_pieces(const struct shape *);
/* Chunks that each stage has with it; 0: any number. */
int schedule_chunks(enum schedule_kind);
/* Every stage also holds the piece of the stage opposite: a load of one chunk stands for two. */
bool schedule_mirrored(enum schedule_kind);
const struct scheme *schedule_scheme(enum schedule_kind);
/* May a free order begin with the schedule's? */
bool schedule_begins(const struct shape *);
/* The schedule of a pipeline that names none; LESS: of those for several chunks, that of less memory. */
enum schedule_kind schedule_usual(int chunks, bool less);
/* Is it known where its pieces are, whatever the question? Only then its bound can be proved to others. */
bool schedule_provable(enum schedule_kind);
void schedule_free(struct schedule *);
size_t schedule_ops(const struct schedule *);
/* A number for each result, 0 to schedule_slots(), some of them unused: both kinds of backward have the same. */
size_t schedule_slots(const struct schedule *);
size_t schedule_slot(const struct schedule *, int stage, struct op);
/* Are there operations of its phase? Only orders with split backwards have all. */
bool schedule_occurs(const struct schedule *, struct op);
struct need schedule_need(const struct schedule *, int stage, struct op);
/* The stage that what it makes is sent to; -1: none, or it stays. */
int schedule_receiver(const struct schedule *, int stage, struct op);
/* Transfers that it takes part in: what it needs comes from another stage, what it makes goes to one. */
int schedule_posts(const struct schedule *, int stage, struct op);

/* Why its order cannot be written, or NULL. Write it as the lines of a custom schedule. */
const char *schedule_order_problem(const struct shape *);
void schedule_order_write(FILE *, const struct schedule *);

#endif
