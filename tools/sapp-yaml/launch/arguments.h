/* Arguments: a plan as a launch. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "lib/model/network.h"
#include "lib/record/configuration.h"
#include "lib/setup/launch.h"
#include "lib/target/target.h"
#include "sapp-yaml/question.h"

/* Free with launch_free(). Exits when the target's arguments cannot say the plan. */
struct launch launch_of_plan(const struct plan *, const struct question *, enum target, enum launch_dialect);
/* Degrees, batches, and how experts and graphs run, as far as the candidate says; with EXPERTS what these need. */
void launch_add_candidate(struct launch *, const struct configuration *, bool experts, struct place);

/*
 * Exits, "not printed" or "not written", unless the TEXT of SOURCE says the plan's layers, recomputation and order.
 * With the layers in NET (NULL: not known) the step that it makes is told on stderr.
 */
void launch_verify(const char *text, const char *source, const struct plan *, const struct question *,
    const struct network *net, const char *not_done);

#endif
