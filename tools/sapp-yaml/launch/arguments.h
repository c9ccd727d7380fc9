/* Arguments: a plan as the arguments of a launch. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "lib/model/network.h"
#include "lib/record/configuration.h"
#include "lib/setup/launch.h"
#include "lib/target/target.h"
#include "sapp-yaml/plan/question.h"

/*
 * Return the launch that runs the plan; free it with launch_free(). Exits if the target's arguments cannot express the
 * plan.
 */
struct launch launch_of_plan(const struct plan *, const struct yaml_question *, enum target, enum launch_dialect);
/* Target and syntax in which a candidate is written, and whether the network has experts. */
struct candidate_words {
	enum target target;
	enum launch_dialect dialect;
	bool experts;
};
/* Add the degrees, batches and all other settings of the candidate. Exits if the target cannot express a setting. */
void launch_add_candidate(struct launch *, const struct configuration *, const struct candidate_words *, struct place);
/*
 * Mark the options to be set or removed for candidate C: the settings in which C differs from the file. The file has
 * the options in HAS and runs NOW. Options that are already marked stay marked.
 */
void candidate_decide(bool decided[LAUNCH_OPTIONS], const bool has[LAUNCH_OPTIONS], const struct configuration *c,
    const struct configuration *now, bool experts);

/*
 * Exit unless the command has the plan's layers, recomputation and order, and the settings of the candidate. The
 * message says NOT_DONE, "not printed" or "not written". With the layers in NET (NULL: unknown) print the step on
 * stderr. Sets the number of layers of a launch without one.
 */
void launch_verify(struct launch *, const struct started *, const struct plan *, const struct yaml_question *,
    const struct network *net, const char *not_done);

#endif
