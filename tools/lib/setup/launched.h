/* Launched: the pipeline that a launch runs. */
#ifndef LAUNCHED_H
#define LAUNCHED_H

#include "lib/base/table.h"
#include "lib/record/recompute.h"
#include "lib/schedule/schedule.h"
#include "lib/target/modules.h"
#include "launch.h"

struct launched {
	struct shape shape;		/* micro 0: unknown */
	int layers, extra;		/* EXTRA of them are multi-token prediction layers */
	struct grid predicting;		/* number of the extra layers per piece; predicting_kind: their recomputation */
	enum recompute predicting_kind;
	struct grid kind[RECOMPUTE_KINDS];	/* layers by kind for every piece, [chunk][stage] */
	int *layer;			/* [layers], kind of each layer in data order; NULL: derived from kind */
};
/* Return the devices of all nodes; 0: unknown. */
long launched_devices(const struct launch *);
/* MODULES: names of kinds, or NULL. Exits, naming the argument that contradicts others. */
void launched_read(struct launched *, const struct launch *, const struct modules *);
/* Return the number of chunks of each of STAGES stages, 1 or more. */
int launched_chunks(const struct launch *, int stages);
/* Return the micro-batches per step, from global batch and devices; 0 if unknown. Exits if they do not divide it. */
int launched_micro(const struct launch *, int stages);
/* Leave out multi-token prediction layers, which then count with the tail. Return false if their places are unknown. */
bool launched_with_tail(struct launched *);
/*
 * Exit if a run that shards everything by FSDP would have settings that Megatron-LM refuses; WANT: arguments to be
 * added.
 */
void launched_check_fsdp(const struct launch *now, const struct launch *want);
void launched_free(struct launched *);

#endif
