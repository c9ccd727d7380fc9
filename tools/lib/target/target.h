/* Targets: the frameworks that train, and what each can run of what can be planned. sapp.7 says where that is from. */
#ifndef TARGET_H
#define TARGET_H

#include "lib/record/overhead.h"
#include "lib/record/plan.h"

enum target {
	TARGET_ANY, TARGET_MINDFORMERS, TARGET_MEGATRON, TARGET_MINDSPEED, TARGET_PYTORCH, TARGET_PRIMUS,
	TARGET_FLAGSCALE, TARGET_HYPERPARALLEL, TARGETS
};
extern const char *const target_names[TARGETS + 1];	/* as options say them */
extern const char *const target_titles[TARGETS];	/* as people do */

/* By what the recomputation of pieces can differ. */
enum target_rule {
	RULE_PIECE,	/* each piece has numbers of its own */
	RULE_WHOLE,	/* each piece has a number of layers as a whole; or all layers in part */
	RULE_FIRST,	/* the first layers of every piece, as many everywhere, as a whole; or all layers in part */
	RULE_ALL,	/* all layers or none */
};
enum target_rule target_rule(enum target);

/* The one kind of recomputation that every piece has: KIND in its first LAYERS layers, or in all if it has fewer. */
struct uniform {
	enum recompute kind;	/* RECOMPUTE_NONE: none anywhere */
	int layers;		/* 0: each piece has its own number, RULE_WHOLE */
};

/*
 * What is in the way of running this schedule, or NULL; to be freed. Nothing is said about the number of
 * micro-batches where shape.micro is 0.
 */
char *target_shape_problem(enum target, const struct shape *);
/*
 * The same of the plan's layers and recomputation. NAMED: kinds besides the built-in ones that it has words for, a set
 * of 1 << kind. UNIFORM is filled in where the rule is not RULE_PIECE.
 */
char *target_plan_problem(enum target, const struct plan *, unsigned named, struct uniform *);
/* Do all pieces have the same kind in so many layers? Only KINDS, a set of 1 << kind, are looked for. */
bool uniform_of(const struct plan *, unsigned kinds, struct uniform *);
/*
 * Kinds of recomputation that it has in this schedule, a set of 1 << kind, and those of NAMED, for which it has words
 * of their own, where it recomputes at all.
 */
unsigned target_kinds(enum target, enum schedule_kind, unsigned named);
/* Are its orders of this schedule its own, which do not look at times? */
bool target_fixed(enum target, enum schedule_kind);
/* Are the layers that RULE_WHOLE recomputes any ones, or the first of each piece? */
bool target_any_layers(enum target);

/*
 * How it sends from stage to stage in this schedule. MEASURED: how the run that was measured did. Of no framework in
 * particular schedules of one runtime do as that run; orders that split backwards or go back and forth have runtimes of
 * their own, which wait for data only where they are used.
 */
enum transfer_mode target_transfers(enum target, enum schedule_kind, enum transfer_mode measured);

/* Must every piece of this schedule have as many layers? */
bool target_even(enum target, enum schedule_kind);
/* Layers of this name predict further tokens. */
bool target_predicts(const char *name);

#endif
