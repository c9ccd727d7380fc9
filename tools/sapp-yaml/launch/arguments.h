/* Arguments: a plan as a launch, and a launch as what its pipeline will be. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "lib/record/pipeline.h"
#include "lib/target/target.h"
#include "lib/yaml/settings.h"
#include "sapp-yaml/question.h"
#include "launch.h"

/* Free with launch_free(). Exits when the target's arguments cannot say the plan. */
struct launch launch_of_plan(const struct plan *, const struct question *, enum target, enum launch_dialect);

struct launched {			/* what a launch says of its pipeline */
	struct shape shape;		/* micro 0: it does not say */
	int layers, extra;		/* EXTRA of them predict further tokens */
	struct grid kind[RECOMPUTE_KINDS];	/* layers of every piece, [chunk][stage] */
};
/* Exits naming the argument that does not fit the others. */
void launched_read(struct launched *, const struct launch *);
void launched_free(struct launched *);

#endif
