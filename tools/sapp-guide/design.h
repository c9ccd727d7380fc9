/* Design: settings to measure, chosen for a well-conditioned split of memory. */
#ifndef DESIGN_H
#define DESIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/measure/equation.h"
#include "lib/record/recompute.h"
#include "lib/yaml/settings.h"

enum {
	MOST_ROUNDS = 64, MOST_BODIES = 4,
	BODY_UNKNOWNS = UNKNOWN_CONSTANT,	/* each body's; constant, head and tail follow the last body's */
	MOST_UNKNOWNS = MOST_BODIES * BODY_UNKNOWNS + UNKNOWNS - UNKNOWN_CONSTANT
};

struct guide_question {
	int stages, layers;
	int bodies, body[MOST_BODIES];	/* kinds of body layers in model order, and the layers of each */
	bool kind[RECOMPUTE_BUILT_IN];	/* kinds to be distinguished; none always */
	int most;			/* maximum layers per stage */
	double limit;			/* MB, maximum by the guess; 0: no limit */
	double guess[UNKNOWNS];		/* MB */
};

struct guide_setting {			/* of one stage */
	int count[RECOMPUTE_BUILT_IN];
};

struct design {
	const struct guide_question *question;
	int rounds;
	struct guide_setting *at;		/* [rounds][stages] */
	double condition;	/* of the scaled equations; infinite if unknowns are left open */
	double peak;			/* MB, maximum by the guess */
};

/* Get the unknowns of the question; return their number. */
int question_unknowns(const struct guide_question *, int unknown[MOST_UNKNOWNS]);
/* Return the minimum number of rounds with enough equations. */
int question_rounds(const struct guide_question *);
int setting_layers(const struct guide_setting *);
/* Return the MB on a stage by the guess. */
double setting_memory(const struct guide_question *, int stage, const struct guide_setting *);

/*
 * Return a good design with ROUNDS rounds, deterministic. Its condition may be infinite and its peak above the limit.
 */
struct design design_search(const struct guide_question *, int rounds);
/* Return a random design, for comparison. */
struct design design_random(const struct guide_question *, int rounds, uint64_t *seed);
void design_free(struct design *);
/* Return the settings of a round for the training YAML; free with settings_free(). */
struct settings design_settings(const struct design *, int round);

#endif
