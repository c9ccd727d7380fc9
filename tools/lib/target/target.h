/* Targets: the training frameworks, and the plans that each of them can run. The sources are in sapp(7). */
#ifndef TARGET_H
#define TARGET_H

#include "lib/model/predicting.h"
#include "lib/record/overhead.h"
#include "lib/record/plan.h"

enum target {
	TARGET_ANY, TARGET_MINDFORMERS, TARGET_MEGATRON, TARGET_MINDSPEED, TARGET_PYTORCH, TARGET_PRIMUS,
	TARGET_FLAGSCALE, TARGET_HYPERPARALLEL, TARGETS
};
extern const char *const target_names[TARGETS + 1];	/* names in options */
extern const char *const target_titles[TARGETS];	/* names in reports */

/* The groups in which an interleaved schedule visits the chunks with micro-batches. */
enum target_groups {
	GROUPS_ANY,	/* any size; the remainder joins the first group */
	GROUPS_OWN,	/* the number of stages is the size */
	GROUPS_SIZED,	/* an argument gives the size, and must divide the number of micro-batches */
};

/* How recomputation may differ between pieces. */
enum target_rule {
	RULE_PIECE,	/* each piece has its own numbers of layers */
	RULE_WHOLE,	/* each piece has its own number of fully recomputed layers; or all layers recompute a part */
	/*
	 * the first layers of every piece, the same number in each, are fully recomputed; or all layers recompute a
	 * part
	 */
	RULE_FIRST,
	RULE_ALL,	/* all layers are recomputed, or none */
};

/* The arguments by which a framework offloads modules. */
enum target_words { WORDS_NONE, WORDS_OFFLOAD, WORDS_SWAP };

/*
 * The properties of a framework. Sources: sapp(7), TARGETS. A set of schedules or kinds has the bits 1 << schedule, 1
 * << kind.
 */
struct framework {
	unsigned schedules, kinds;
	enum target_rule rule;
	enum target_groups groups;
	enum target_words words;
	enum predicting predicting;	/* pieces that may hold multi-token prediction layers */
	bool splits;			/* it can split sequences */
	bool one_step;			/* needs at least one micro-batch per stage */
	bool anywhere;	/* with RULE_WHOLE: any layers of a piece, instead of its first ones, may be recomputed */
	bool any_order;			/* it reads the order of operations from a file */
	bool no_chunks;			/* gpipe runs only with one chunk per stage */
	bool alone;			/* embedding and loss may be in a piece without BODY layers */
	bool empty;			/* pieces may be empty */
	unsigned whole;			/* schedules that exclude full recomputation */
	unsigned kept;			/* schedules that exclude recomputation; their orders do not depend on times */
	unsigned even;			/* schedules that need the same number of layers in every piece */
	unsigned unknown;		/* schedules of a runtime whose transfers are unknown */
	unsigned plain;			/* schedules with transfers[0]; all remaining schedules have transfers[1] */
	enum transfer_mode transfers[2];
};
extern const struct framework frameworks[TARGETS];

/*
 * Recomputation that is equal in all pieces: KIND in the first LAYERS layers of every piece. A piece with fewer layers
 * recomputes all.
 */
struct uniform {
	enum recompute kind;	/* RECOMPUTE_NONE: none is recomputed */
	int layers;		/* number per piece; 0: each piece has its own number, as RULE_WHOLE allows */
};

/*
 * Return why the framework cannot run a schedule of this shape (caller frees), or NULL. If shape.micro is 0, the number
 * of micro-batches is not checked.
 */
char *target_shape_problem(enum target, const struct shape *);
/*
 * Return why the framework cannot run the layers and the recomputation of a plan (caller frees), or NULL. NAMED: kinds
 * that are not built in and that its settings can express, a set of 1 << kind. Unless the rule is RULE_PIECE, fill in
 * *UNIFORM.
 */
char *target_plan_problem(enum target, const struct plan *, unsigned named, struct uniform *);
/*
 * Return whether all pieces recompute the same number of layers, with the same kind. If so, fill in *UNIFORM. KINDS:
 * kinds to try, a set of 1 << kind.
 */
bool uniform_of(const struct plan *, unsigned kinds, struct uniform *);
/*
 * Return the kinds of recomputation that plans may use in this schedule, a set of 1 << kind. NAMED: kinds that are not
 * built in and that the target's settings can express. They are included unless the schedule excludes recomputation.
 */
unsigned target_kinds(enum target, enum schedule_kind, unsigned named);
/* Return whether SET, a set of schedules, contains KIND. */
static inline bool
target_in(unsigned set, enum schedule_kind kind)
{
	return set >> kind & 1;
}

/*
 * Return the transfer mode of the target in this schedule. MEASURED: mode of the run that was measured. For TARGET_ANY,
 * schedules that share a runtime have this mode. Orders that split backwards, or go forth and back, have runtimes of
 * their own, which wait for data only when they are used.
 */
enum transfer_mode target_transfers(enum target, enum schedule_kind, enum transfer_mode measured);

/* Return whether layers of this name are multi-token prediction layers. */
bool target_predicts(const char *name);

#endif
