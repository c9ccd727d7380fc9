/* The pipeline that the arguments of a run describe. */
#ifndef LAUNCHED_H
#define LAUNCHED_H

#include "lib/base/table.h"
#include "lib/record/recompute.h"
#include "lib/schedule/schedule.h"
#include "lib/target/modules.h"
#include "lib/yaml/operator_lists.h"
#include "launch.h"

struct launched {
	struct shape shape;		/* micro is 0 if unknown */
	int layers, extra;		/* number of layers; number of multi-token prediction layers among them */
	/* number of multi-token prediction layers per piece; predicting_kind: how they are recomputed */
	struct grid predicting;
	enum recompute predicting_kind;
	struct grid kind[RECOMPUTE_KINDS];	/* number of layers of each piece, by kind, [chunk][stage] */
	struct operator_kinds made;	/* kinds that the input's records do not have */
	int *layer;			/* [layers], kind of each layer in data order; NULL: only kind is known */
};
/* Return the number of devices of all nodes; 0: unknown. */
long launched_devices(const struct launch *);
/*
 * Read the pipeline. MODULES: names of kinds, or NULL. Exit, naming the argument, if arguments contradict each other,
 * or if no kind has the modules and none may be made.
 */
void launched_read(struct launched *, const struct launch *, const struct modules *);
/* Return the number of chunks on each of STAGES stages, at least 1. */
int launched_chunks(const struct launch *, int stages);
/*
 * Return the number of micro-batches per step, from the global batch and the number of devices; 0: unknown. Exit if the
 * number is not whole.
 */
int launched_micro(const struct launch *, int stages);
/*
 * Leave out the multi-token prediction layers, and count them as part of the tail. Return false if it is unknown on
 * which pieces they are.
 */
bool launched_with_tail(struct launched *);
/*
 * Exit if a run that shards all state with FSDP would get settings that Megatron-LM refuses. NOW: its arguments; WANT:
 * arguments to be added.
 */
void launched_check_fsdp(const struct launch *now, const struct launch *want);
void launched_free(struct launched *);

#endif
