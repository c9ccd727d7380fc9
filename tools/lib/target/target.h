/* Targets: training frameworks, and the plans that each can run. Sources: sapp(7). */
#ifndef TARGET_H
#define TARGET_H

#include "lib/model/predicting.h"
#include "lib/record/overhead.h"
#include "lib/record/plan.h"

enum target {
	TARGET_ANY, TARGET_MINDFORMERS, TARGET_MEGATRON, TARGET_MINDSPEED, TARGET_PYTORCH, TARGET_PRIMUS,
	TARGET_FLAGSCALE, TARGET_HYPERPARALLEL, TARGETS
};
extern const char *const target_names[TARGETS + 1];	/* in options */
extern const char *const target_titles[TARGETS];	/* in reports */

/* How interleaving groups micro-batches. */
enum target_groups {
	GROUPS_ANY,	/* the remainder joins the first group */
	GROUPS_OWN,	/* as many as stages, no other size */
	GROUPS_SIZED,	/* an argument gives their size, which divides the micro-batches */
};

/* How recomputation may differ between pieces. */
enum target_rule {
	RULE_PIECE,	/* own numbers for each piece */
	RULE_WHOLE,	/* a number of fully recomputed layers per piece; or all layers in part */
	RULE_FIRST,	/* the first layers of every piece, equally many, in full; or all layers in part */
	RULE_ALL,	/* all layers or none */
};

/* The settings with which a framework offloads modules. */
enum target_words { WORDS_NONE, WORDS_OFFLOAD, WORDS_SWAP };

/* What differs between frameworks. Sources of each row: sapp(7), TARGETS. Sets are of 1 << schedule, or kind. */
struct framework {
	unsigned schedules, kinds;
	enum target_rule rule;
	enum target_groups groups;
	enum target_words words;
	enum predicting predicting;	/* places of multi-token prediction layers */
	bool splits;			/* supports sequence splits */
	bool one_step;			/* at least as many micro-batches as stages */
	bool anywhere;			/* RULE_WHOLE: any layers instead of the first of each piece */
	bool any_order;			/* reads the order of operations from a file */
	bool no_chunks;			/* gpipe with one chunk a stage alone */
	bool alone;			/* embedding and loss also without BODY layers */
	bool empty;			/* pieces may be empty */
	unsigned whole;			/* schedules without full recomputation */
	unsigned kept;			/* schedules without recomputation, whose own orders ignore times */
	unsigned even;			/* schedules with equally many layers in every piece */
	unsigned unknown;		/* schedules of a runtime with unknown transfers */
	unsigned plain;			/* schedules with the first of these transfer modes */
	enum transfer_mode transfers[2];
};
extern const struct framework frameworks[TARGETS];

/* Uniform recomputation: KIND in the first LAYERS layers of every piece, or in all if it has fewer. */
struct uniform {
	enum recompute kind;	/* RECOMPUTE_NONE: no recomputation */
	int layers;		/* 0: a number per piece, RULE_WHOLE */
};

/*
 * Return why this schedule cannot run, or NULL; caller frees. Ignores the number of micro-batches if shape.micro is 0.
 */
char *target_shape_problem(enum target, const struct shape *);
/*
 * Return why the plan's layers and recomputation cannot run, or NULL; caller frees. NAMED: expressible kinds other than
 * built-in ones, a set of 1 << kind. Fills in UNIFORM unless the rule is RULE_PIECE.
 */
char *target_plan_problem(enum target, const struct plan *, unsigned named, struct uniform *);
/* Return whether all pieces have equally many layers of one kind. KINDS: kinds to try, a set of 1 << kind. */
bool uniform_of(const struct plan *, unsigned kinds, struct uniform *);
/*
 * Return the available kinds of recomputation in this schedule, a set of 1 << kind; with the kinds NAMED, which the
 * target can express, if it recomputes at all.
 */
unsigned target_kinds(enum target, enum schedule_kind, unsigned named);
/* Return whether the schedule is in a set of the framework. */
static inline bool
target_in(unsigned set, enum schedule_kind kind)
{
	return set >> kind & 1;
}

/*
 * Return its transfer mode in this schedule. MEASURED: mode of the measured run. For any framework, schedules of one
 * runtime use that mode; orders that split backwards or go forth and back have their own runtimes, which wait for data
 * only at their use.
 */
enum transfer_mode target_transfers(enum target, enum schedule_kind, enum transfer_mode measured);

/* Return whether layers of this name are multi-token prediction layers. */
bool target_predicts(const char *name);

#endif
