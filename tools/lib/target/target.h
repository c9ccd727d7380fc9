/* Targets: training frameworks, and the plans that each can run. Sources: sapp(7). */
#ifndef TARGET_H
#define TARGET_H

#include "lib/record/overhead.h"
#include "lib/record/plan.h"

enum target {
	TARGET_ANY, TARGET_MINDFORMERS, TARGET_MEGATRON, TARGET_MINDSPEED, TARGET_PYTORCH, TARGET_PRIMUS,
	TARGET_FLAGSCALE, TARGET_HYPERPARALLEL, TARGETS
};
extern const char *const target_names[TARGETS + 1];	/* in options */
extern const char *const target_titles[TARGETS];	/* in reports */

/* How recomputation may differ between pieces. */
enum target_rule {
	RULE_PIECE,	/* own numbers for each piece */
	RULE_WHOLE,	/* a number of fully recomputed layers per piece; or all layers in part */
	RULE_FIRST,	/* the first layers of every piece, equally many, in full; or all layers in part */
	RULE_ALL,	/* all layers or none */
};
enum target_rule target_rule(enum target);

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
/* Whether all pieces have the same kind in equally many layers. KINDS: kinds to try, a set of 1 << kind. */
bool uniform_of(const struct plan *, unsigned kinds, struct uniform *);
/*
 * Return the available kinds of recomputation in this schedule, a set of 1 << kind; with the kinds NAMED, which the
 * target can express, if it recomputes at all.
 */
unsigned target_kinds(enum target, enum schedule_kind, unsigned named);
/* Whether its own orders of this schedule ignore times. */
bool target_fixed(enum target, enum schedule_kind);
/* Whether RULE_WHOLE recomputes any layers, or the first of each piece. */
bool target_any_layers(enum target);

/*
 * Return its transfer mode in this schedule. MEASURED: mode of the measured run. For any framework, schedules of one
 * runtime use that mode; orders that split backwards or go forth and back have their own runtimes, which wait for data
 * only at their use.
 */
enum transfer_mode target_transfers(enum target, enum schedule_kind, enum transfer_mode measured);

/* Whether every piece of this schedule must have equally many layers. */
bool target_even(enum target, enum schedule_kind);
/* Whether layers of this name are multi-token prediction layers. */
bool target_predicts(const char *name);

#endif
