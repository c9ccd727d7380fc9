/* Settings of Primus and FlagScale beyond the arguments of Megatron-LM. */
#ifndef OWN_WORDS_H
#define OWN_WORDS_H

#include "lib/record/plan.h"
#include "lib/setup/launch.h"
#include "lib/target/target.h"
#include "sapp-yaml/plan/question.h"

/*
 * Set a schedule of its own runtime with the layers [chunk][stage] of its pieces; false: Megatron-LM's runtime runs it.
 */
bool own_order(struct launch *, const struct yaml_question *, struct grid layers, struct grid extra);
/* Set fully recomputed layers, by number or by piece. */
void own_recomputation(struct launch *, const struct plan *, const struct yaml_question *, enum target);

#endif
