/* Arguments: a plan as a launch. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "lib/model/network.h"
#include "lib/record/configuration.h"
#include "lib/setup/launch.h"
#include "lib/target/target.h"
#include "sapp-yaml/plan/question.h"

/* Free with launch_free(). Exits if the target's arguments cannot express the plan. */
struct launch launch_of_plan(const struct plan *, const struct yaml_question *, enum target, enum launch_dialect);
/* Target and syntax for a candidate, and whether the network has experts. */
struct candidate_words {
	enum target target;
	enum launch_dialect dialect;
	bool experts;
};
/* Add degrees, batches and all other settings of the candidate. Exits on settings that the target cannot express. */
void launch_add_candidate(struct launch *, const struct configuration *, const struct candidate_words *, struct place);
/*
 * Mark the options to be set or removed for candidate C: its settings that differ from those of a file, which HAS
 * options and runs NOW. Options already decided stay decided.
 */
void candidate_decide(bool decided[LAUNCH_OPTIONS], const bool has[LAUNCH_OPTIONS], const struct configuration *c,
    const struct configuration *now, bool experts);

/*
 * Exit with "not printed" or "not written" unless the command has the plan's layers, recomputation and order, and the
 * candidate. With the layers in NET (NULL: unknown) print its step to stderr. Sets the number of layers if it has none.
 */
void launch_verify(struct launch *, const struct started *, const struct plan *, const struct yaml_question *,
    const struct network *net, const char *not_done);

#endif
