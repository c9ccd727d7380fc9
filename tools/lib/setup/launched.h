/* Launched: what a launch says of the pipeline that it runs. */
#ifndef LAUNCHED_H
#define LAUNCHED_H

#include "lib/schedule/schedule.h"
#include "lib/record/recompute.h"
#include "lib/field/table.h"
#include "lib/target/modules.h"
#include "launch.h"

struct launched {
	struct shape shape;		/* micro 0: it does not say */
	int layers, extra;		/* EXTRA of them predict further tokens */
	struct grid kind[RECOMPUTE_KINDS];	/* layers of every piece, [chunk][stage] */
	int *layer;			/* [layers], the kind of each in the order of the data; NULL: by the rest */
};
/* MODULES: what kinds stand for, NULL: nobody says. Exits naming the argument that does not fit the others. */
void launched_read(struct launched *, const struct launch *, const struct modules *);
/* Exits where a run that divides all by FSDP would have what Megatron-LM refuses beside it; WANT: arguments to come. */
void launched_check_fsdp(const struct launch *now, const struct launch *want);
void launched_free(struct launched *);

#endif
