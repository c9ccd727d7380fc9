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
/* Whose words a candidate is to be said in, of a network with or without experts. */
struct candidate_words {
	enum target target;
	enum launch_dialect dialect;
	bool experts;
};
/* Degrees, batches and all other settings that the candidate says. Exits on what the target has no words for. */
void launch_add_candidate(struct launch *, const struct configuration *, const struct candidate_words *, struct place);
/*
 * Which options are to be as the candidate C has them, or not there: settings that it says and that a file, which HAS
 * options and runs NOW, says otherwise. Others stay. Options that are decided already stay so.
 */
void candidate_decide(bool decided[LAUNCH_OPTIONS], const bool has[LAUNCH_OPTIONS], const struct configuration *c,
    const struct configuration *now, bool experts);

/*
 * Exits, "not printed" or "not written", unless the launch says the plan's layers, recomputation and order. With the
 * layers in NET (NULL: unknown) the step that it makes is told on stderr.
 */
void launch_verify(const struct launch *, const struct plan *, const struct question *, const struct network *net,
    const char *not_done);
/* The same of the candidate, on as many devices as it has. */
void launch_verify_candidate(const struct launch *, const struct plan *, const struct question *,
    const char *not_done);
/* Both of the arguments in the YAML TEXT of SOURCE. */
void launch_verify_yaml(const char *text, const char *source, const struct plan *, const struct question *,
    const struct network *net, const char *not_done);

#endif
