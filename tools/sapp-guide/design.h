/* Design: settings to measure, chosen so that the memory can be split well. */
#ifndef DESIGN_H
#define DESIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/measure/equation.h"
#include "lib/record/recompute.h"
#include "lib/yaml/settings.h"

enum { MOST_ROUNDS = 64 };

struct question {
	int stages, layers;
	bool kind[RECOMPUTE_BUILT_IN];	/* those to be told apart; none always */
	int most;			/* layers on a stage */
	double limit;			/* MB that a run may need by the guess; 0: no limit */
	double guess[UNKNOWNS];		/* MB */
};

struct setting {			/* of one stage */
	int count[RECOMPUTE_BUILT_IN];
};

struct design {
	const struct question *question;
	int rounds;
	struct setting *at;		/* [rounds][stages] */
	double condition;	/* of the equations, scaled; infinite when they do not determine all */
	double peak;			/* MB, the largest by the guess */
};

/* Unknowns of the question: their number, and which. */
int question_unknowns(const struct question *, enum unknown unknown[UNKNOWNS]);
/* Fewer rounds than these have too few equations. */
int question_rounds(const struct question *);
int setting_layers(const struct setting *);
/* MB on a stage by the guess. */
double setting_memory(const struct question *, int stage, const struct setting *);

/*
 * A good design of so many rounds: the same one every time. Its condition may be infinite, its peak above
 * the limit.
 */
struct design design_search(const struct question *, int rounds);
/* One drawn at random, for comparison. */
struct design design_random(const struct question *, int rounds, uint64_t *seed);
void design_free(struct design *);
/* What is to be put into the training YAML in a round; free with settings_free(). */
struct settings design_settings(const struct design *, int round);

#endif
