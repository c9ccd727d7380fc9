/* Arguments: a plan as a launch. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "lib/record/pipeline.h"
#include "lib/target/target.h"
#include "lib/setup/launch.h"
#include "sapp-yaml/question.h"

/* Free with launch_free(). Exits when the target's arguments cannot say the plan. */
struct launch launch_of_plan(const struct plan *, const struct question *, enum target, enum launch_dialect);

#endif
