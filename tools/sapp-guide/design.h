/* Design: settings to measure, chosen such that the split of memory is well-conditioned. */
#ifndef DESIGN_H
#define DESIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/measure/equation.h"
#include "lib/record/recompute.h"
#include "lib/yaml/settings.h"

enum {
	MOST_ROUNDS = 64, MOST_BODIES = 4,
	/* number of unknowns of each body; const, head and tail follow those of the last body */
	BODY_UNKNOWNS = UNKNOWN_CONSTANT,
	MOST_UNKNOWNS = MOST_BODIES * BODY_UNKNOWNS + UNKNOWNS - UNKNOWN_CONSTANT
};

struct guide_question {
	int stages, layers;
	int bodies, body[MOST_BODIES];	/* number of kinds of BODY layers; number of layers of each, in model order */
	bool kind[RECOMPUTE_BUILT_IN];	/* kinds to be distinguished; none is always one of them */
	int most;			/* maximum number of layers per stage */
	double limit;			/* MB, maximum of a stage by the guess; 0: no limit */
	double guess[UNKNOWNS];		/* MB, guess of each unknown */
};

struct guide_setting {			/* setting of one stage */
	int count[RECOMPUTE_BUILT_IN];
};

struct design {
	const struct guide_question *question;
	int rounds;
	struct guide_setting *at;		/* [rounds][stages] */
	double condition;	/* condition number of the scaled equations; infinite: unknowns are undetermined */
	double peak;			/* MB, maximum of all stages by the guess */
};

/* Get the unknowns of the question in UNKNOWN, and return their number. */
int question_unknowns(const struct guide_question *, int unknown[MOST_UNKNOWNS]);
/* Return the minimum number of rounds that gives enough equations. */
int question_rounds(const struct guide_question *);
int setting_layers(const struct guide_setting *);
/* Return the MB on a stage by the guess. */
double setting_memory(const struct guide_question *, int stage, const struct guide_setting *);

/*
 * Return a good design with ROUNDS rounds. The result is deterministic. Its condition number may be infinite, and its
 * peak above the limit.
 */
struct design design_search(const struct guide_question *, int rounds);
/* Return a random design, for comparison. */
struct design design_random(const struct guide_question *, int rounds, uint64_t *seed);
void design_free(struct design *);
/* Return the settings of a round for the training YAML; free them with settings_free(). */
struct settings design_settings(const struct design *, int round);

#endif
