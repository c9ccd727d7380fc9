/* Design: settings to measure, and the unknowns that they determine. */
#include "design.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/random.h"
#include "gram.h"

int
question_unknowns(const struct guide_question *q, int unknown[MOST_UNKNOWNS])
{
	int n = 0, ends = q->bodies * BODY_UNKNOWNS - UNKNOWN_CONSTANT;

	for (int b = 0; b < q->bodies; b++) {
		unknown[n++] = b * BODY_UNKNOWNS + UNKNOWN_PARAMETER;
		for (int k = 0; k < RECOMPUTE_BUILT_IN; k++)
			if (q->kind[k])
				unknown[n++] = b * BODY_UNKNOWNS + UNKNOWN_ACTIVATION + k;
	}
	/* With two stages both are ends of the model, whose unknowns include any constant. */
	if (q->stages > 2)
		unknown[n++] = ends + UNKNOWN_CONSTANT;
	unknown[n++] = ends + UNKNOWN_HEAD;
	unknown[n++] = ends + UNKNOWN_TAIL;
	return n;
}

/* There must be as many middle stages as unknowns, which are parameter, const and kinds. */
int
question_rounds(const struct guide_question *q)
{
	int unknown[MOST_UNKNOWNS];
	int n = question_unknowns(q, unknown);
	int equations = q->stages > 2 ? q->stages - 2 : 2, needed = q->stages > 2 ? n - 2 : n;

	return (needed + equations - 1) / equations;
}

int
setting_layers(const struct guide_setting *s)
{
	int n = 0;

	for (int k = 0; k < RECOMPUTE_BUILT_IN; k++)
		n += s->count[k];
	return n;
}

double
setting_memory(const struct guide_question *q, int stage, const struct guide_setting *s)
{
	double row[UNKNOWNS], memory = 0;

	equation_row(row, stage, q->stages, s->count);
	for (int j = 0; j < UNKNOWNS; j++)
		memory += row[j] * q->guess[j];
	return memory;
}

/* Divide layers over stages, and the layers of each stage over kinds, at random points. */
static void
random_round(const struct guide_question *q, struct guide_setting *stage, uint64_t *seed)
{
	int left = q->layers - q->stages;

	for (int s = 0; s < q->stages; s++)
		stage[s].count[RECOMPUTE_NONE] = 1;
	while (left > 0) {
		struct guide_setting *s = &stage[random_below(seed, q->stages)];
		int room = q->most - s->count[RECOMPUTE_NONE], more;

		if (room == 0)
			continue;
		more = 1 + random_below(seed, room < left ? room : left);
		s->count[RECOMPUTE_NONE] += more;
		left -= more;
	}
	for (int s = 0; s < q->stages; s++) {
		int *count = stage[s].count, rest = count[RECOMPUTE_NONE];
		int banned = random_below(seed, 2) ? RECOMPUTE_SELECT : RECOMPUTE_COMM;

		for (int k = 1; k < RECOMPUTE_BUILT_IN; k++) {
			if (!q->kind[k] || k == banned)
				continue;
			count[k] = random_below(seed, rest + 1);
			rest -= count[k];
		}
		count[RECOMPUTE_NONE] = rest;
	}
}

struct design
design_random(const struct guide_question *q, int rounds, uint64_t *seed)
{
	struct design d = { .question = q, .rounds = rounds };
	struct gram g;

	d.at = xcalloc((size_t)rounds * (size_t)q->stages, sizeof *d.at);
	for (int r = 0; r < rounds; r++)
		random_round(q, d.at + (size_t)r * (size_t)q->stages, seed);
	g = gram_new(q);
	gram_add_all(&g, d.at, rounds);
	d.condition = gram_condition(&g);
	return d;
}

void
design_free(struct design *d)
{
	free(d->at);
	d->at = NULL;
}

struct settings
design_settings(const struct design *d, int round)
{
	struct grid kind[RECOMPUTE_KINDS] = { { 0 } };
	struct settings s;

	for (int k = 0; k < RECOMPUTE_BUILT_IN; k++) {
		kind[k] = grid_new(1, d->question->stages);
		for (int p = 0; p < d->question->stages; p++)
			*grid_at(kind[k], 0, p) = d->at[round * d->question->stages + p].count[k];
	}
	s = settings_from_counts(kind, d->question->layers);
	for (int k = 0; k < RECOMPUTE_BUILT_IN; k++)
		free(kind[k].at);
	return s;
}
