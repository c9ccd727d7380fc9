#include "own_words.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/setup/layout.h"
#include "lib/setup/own_lists.h"

/* Reorder from [chunk][stage] to data order; caller frees. */
static struct grid
by_data(struct grid g, const struct shape *q)
{
	struct grid data = grid_new(g.chunks, g.stages);
	int *order = schedule_pieces(q);

	for (int i = 0; i < g.chunks * g.stages; i++)
		data.at[i] = g.at[order[i]];
	free(order);
	return data;
}

bool
own_order(struct launch *l, const struct yaml_question *q, struct grid layers, struct grid extra)
{
	const char *word = own_schedule_word(q->shape.kind);
	struct grid data[2];

	if (word == NULL)
		return false;
	data[0] = by_data(layers, &q->shape);
	data[1] = by_data(extra, &q->shape);
	launch_set(l, LAUNCH_LAYOUT, layout_write(data[0], data[1]));
	launch_set(l, LAUNCH_OWN_RUNTIME, xstrdup(""));
	launch_set(l, LAUNCH_ALGORITHM, xstrdup(word));
	free(data[0].at);
	free(data[1].at);
	return true;
}

static struct grid
recomputed(const struct plan *p, const struct yaml_question *q)
{
	struct grid kind[RECOMPUTE_KINDS], full;

	plan_kinds(p, q->pieces.chunks, q->pieces.stages, kind);
	full = kind[RECOMPUTE_FULL];
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (k != RECOMPUTE_FULL)
			free(kind[k].at);
	return full;
}

static void
by_piece(struct launch *l, const struct plan *p, const struct yaml_question *q)
{
	struct grid full = recomputed(p, q);

	if (grid_sum(full) > 0) {
		if (q->micro_batches == 0)
			place_die(q->place, "'%s': lists of FlagScale are for a number of micro-batches, which neither "
			    "the plan nor a pipeline record says", p->name);
		launch_set(l, LAUNCH_GRANULARITY, xstrdup("full"));
		launch_set(l, LAUNCH_METHOD, xstrdup("block"));
		launch_set(l, LAUNCH_RECOMPUTE, xstrdup("1"));
		launch_set(l, LAUNCH_STAGE_LAYERS, piece_lists_text(full, q->micro_batches));
	}
	free(full.at);
}

void
own_recomputation(struct launch *l, const struct plan *p, const struct yaml_question *q, enum target target)
{
	int *kind;
	char *ids;

	if (target == TARGET_FLAGSCALE) {
		by_piece(l, p, q);
		return;
	}
	kind = question_layer_kinds(q, p);
	ids = layer_ids_text(kind, q->layers);
	free(kind);
	if (ids == NULL)
		return;
	launch_set(l, LAUNCH_GRANULARITY, xstrdup("full"));
	launch_set(l, LAUNCH_METHOD, xstrdup("null"));
	launch_set(l, LAUNCH_LAYER_IDS, ids);
}
