#include "holding.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/model/network.h"

struct holding
target_holding(enum target t, enum schedule_kind kind)
{
	const struct framework *f = &frameworks[t];

	return (struct holding){ .anywhere = t == TARGET_ANY, .alone = f->alone, .empty = f->empty,
		.predicting = target_in(f->kept, kind) ? PREDICTING_LAST_PIECE : f->predicting,
		.predicting_most = kind == SCHEDULE_VPP_OVERLAP && f->alone ? 1 : -1 };
}

/* Find the multi-token prediction layers. They must follow each other, and only TAIL layers may come after them. */
static void
find_predicting(enum target t, struct network *net)
{
	int from = -1, to = 0, at = 0;

	for (int b = 0; b < net->nbodies; at += net->body[b++].layers) {
		bool predicts = target_predicts(net->body[b].name);

		if (from >= 0 && !predicts && net->body[b].side == 0)
			place_die(net->place, "layer: '%s': %s needs layers for multi-token prediction after all other "
			    "layers", net->body[b].name, target_titles[t]);
		if (!predicts || (from >= 0 && at > to))
			continue;
		from = from < 0 ? at : from;
		to = at + net->body[b].layers;
	}
	net->predict_from = from < 0 ? 0 : from;
	net->predict_to = to;
}

void
holding_bind(enum target t, struct network *net)
{
	struct holding h = target_holding(t, SCHEDULE_1F1B);

	if (!h.anywhere)
		network_bind(net, h.predicting == PREDICTING_LAST_CHUNK ? target_predicts : NULL);
	net->alone = h.alone;
	net->at_ends = !h.anywhere;
}

void
holding_place(enum target t, enum schedule_kind kind, struct network *net)
{
	struct holding h = target_holding(t, kind);

	net->predicting = h.predicting;
	if (h.predicting != PREDICTING_ANYWHERE)
		find_predicting(t, net);
	if (h.predicting_most >= 0 && net->predict_to - net->predict_from > h.predicting_most)
		place_die(net->place, "%s runs %s with at most %d layer for multi-token prediction, not %d",
		    target_titles[t], schedule_names[kind], h.predicting_most, net->predict_to - net->predict_from);
}

char *
holding_shape_problem(enum target t, const struct network *net, const struct shape *q)
{
	int pieces = q->stages * q->chunks, *order = schedule_pieces(q), before = 0, all = network_needed(net, pieces);
	bool possible = net->predict_from == net->predict_to;

	for (int i = 0; i < pieces; i++) {
		int own = network_fewest(net, i, pieces), behind = all - before - own;

		possible |= predicting_at(net->predicting, q, order[i], i) && before <= net->predict_from &&
		    behind <= net->layers - net->predict_to;
		before += own;
	}
	free(order);
	if (possible)
		return NULL;
	return xasprintf("%s needs all layers for multi-token prediction in one piece, %s; %d layers on %d stages of "
	    "%d chunks are too few", target_titles[t], net->predicting == PREDICTING_LAST_PIECE ?
	    "the last piece" : "the last of its stage, not the first stage", net->layers, q->stages, q->chunks);
}

static int
count_at(const struct body_counts *c, int piece)
{
	int n = 0;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		n += c->kind[k].at != NULL ? c->kind[k].at[piece] : 0;
	return n;
}

/*
 * Return the number of multi-token prediction layers on a piece, from the counts or ends of a plan. Set *NAME to
 * another layer there, if any.
 */
static int
count_predicting(const struct array *all, int piece, const char **name)
{
	const struct body_counts *at = all->at;
	int n = 0;

	for (int b = 0; b < all->n; b++) {
		int here = count_at(&at[b], piece);

		if (target_predicts(at[b].name))
			n += here;
		else if (here > 0)
			*name = at[b].name;
	}
	return n;
}

char *
holding_plan_problem(enum target t, const struct plan *p, const struct shape *q)
{
	struct holding h = target_holding(t, q->kind);
	int pieces = q->stages * q->chunks, *order = schedule_pieces(q), at = -1, all = 0;
	char *problem = NULL;

	for (int i = 0; i < pieces && problem == NULL; i++) {
		int piece = order[i], extra;
		const char *body = NULL, *end = NULL;

		extra = count_predicting(&p->counts, piece, &body) + count_predicting(&p->ends, piece, &end);
		all += extra;
		if (body == NULL && extra == 0 && !h.empty && !(h.alone && (i == 0 || i == pieces - 1)))
			problem = xasprintf("%s allows no piece without layers, but chunk %d of stage %d has none",
			    target_titles[t], piece / q->stages, piece % q->stages);
		else if (!h.anywhere && end != NULL && i > 0 && i < pieces - 1)
			problem = xasprintf("%s runs embedding and loss in the first and the last piece; chunk %d of "
			    "stage %d has '%s'", target_titles[t], piece / q->stages, piece % q->stages, end);
		else if (extra > 0 && h.predicting != PREDICTING_ANYWHERE &&
		    (at >= 0 || !predicting_at(h.predicting, q, piece, i)))
			problem = xasprintf("%s needs all layers for multi-token prediction in one piece, %s; chunk %d "
			    "of stage %d has some", target_titles[t], h.predicting == PREDICTING_LAST_PIECE ?
			    "the last piece" : "the last of its stage, not the first stage", piece / q->stages,
			    piece % q->stages);
		at = extra > 0 ? i : at;
	}
	if (problem == NULL && h.predicting_most >= 0 && all > h.predicting_most)
		problem = xasprintf("%s runs %s with at most %d layer for multi-token prediction, not %d",
		    target_titles[t], schedule_names[q->kind], h.predicting_most, all);
	free(order);
	return problem;
}
