/* Strategies: plans made from settings. */
#include "strategy.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "schedule.h"

/* The schedule of a strategy that interleaves otherwise than the pipeline it is compared on. */
static int
schedule_for(const struct pipeline *q, int interleave)
{
	if (interleave == 1 && q->interleave > 1)
		return SCHEDULE_1F1B;
	/* Of the orders for several chunks only these take any number of them. */
	if (interleave != q->interleave && q->schedule != SCHEDULE_VPP_LESS)
		return SCHEDULE_VPP;
	return q->schedule;
}

static int
min(int a, int b)
{
	return a < b ? a : b;
}

/* Hand the layers of the pieces, body by body in the order of the data, to the counts of each kind. */
static void
count(struct plan *p, struct grid kind[RECOMPUTE_KINDS], const struct network *net, int chunks, int stages)
{
	struct shape shape = { .kind = (enum schedule_kind)p->schedule, .stages = stages, .chunks = chunks };
	static const enum recompute costly_first[RECOMPUTE_KINDS] = {
		RECOMPUTE_FULL, RECOMPUTE_BOTH, RECOMPUTE_SELECT, RECOMPUTE_COMM, RECOMPUTE_NONE
	};
	int piece = 0, r = 0;	/* how far the data have come: the piece, and the kind among its layers */

	for (int b = 0; b < net->nbodies; b++) {
		struct body_counts *c = array_add(&body_counts_fields, &p->counts);
		int left = net->body[b].layers;

		c->name = xstrdup(net->body[b].name);
		while (left > 0) {
			enum recompute k = costly_first[r];
			int at = schedule_piece(&shape, piece), n = min(left, kind[k].at[at]);

			if (n > 0) {
				if (c->kind[k].at == NULL)
					GIVE(body_counts, c, kind[k], grid_new(chunks, stages));
				c->kind[k].at[at] += n;
				kind[k].at[at] -= n;
				left -= n;
			}
			if (left > 0 && ++r == RECOMPUTE_KINDS) {
				r = 0;
				piece++;
			}
		}
	}
}

struct plan
strategy_from_settings(const char *name, enum plan_origin origin, const struct settings *s,
    const struct network *net, const struct pipeline *q, struct place at)
{
	struct plan p = { .origin = origin, .interleave = s->offset.chunks };
	struct grid kind[RECOMPUTE_KINDS];

	settings_to_counts(s, net->layers, kind, at);
	p.name = xstrdup(name);
	p.schedule = schedule_for(q, p.interleave);
	p.offset = grid_copy(s->offset);
	p.recompute = grid_copy(s->recompute);
	p.select_recompute = grid_copy(s->select_recompute);
	p.select_comm_recompute = grid_copy(s->select_comm_recompute);
	count(&p, kind, net, s->offset.chunks, s->offset.stages);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
	return p;
}

static bool
all_have(const struct network *net, enum recompute kind)
{
	for (int b = 0; b < net->nbodies; b++)
		if (!net->body[b].has[kind])
			return false;
	return true;
}

/* The kind that keeps least, of those that every layer has a figure for. */
static enum recompute
strongest(const struct network *net)
{
	static const enum recompute order[] = { RECOMPUTE_FULL, RECOMPUTE_BOTH, RECOMPUTE_COMM,
		RECOMPUTE_SELECT };

	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
		if (all_have(net, order[i]))
			return order[i];
	return RECOMPUTE_NONE;
}

bool
strategy_naive(struct plan *p, bool recomputed, const struct network *net, const struct pipeline *q)
{
	int pieces = q->stages * q->interleave;
	enum recompute kind = recomputed ? strongest(net) : RECOMPUTE_NONE;
	struct grid counts[RECOMPUTE_KINDS] = { 0 };
	struct settings s;

	if (net->layers % pieces != 0 || !all_have(net, kind) || recomputed != (kind != RECOMPUTE_NONE))
		return false;
	counts[kind] = grid_new(q->interleave, q->stages);
	for (int i = 0; i < pieces; i++)
		counts[kind].at[i] = net->layers / pieces;
	s = settings_from_counts(counts, net->layers);
	*p = strategy_from_settings(
	    recomputed ? "naive_all_recomp" : "naive_no_recomp", PLAN_NAIVE, &s, net, q, net->place);
	settings_free(&s);
	free(counts[kind].at);
	return true;
}

static struct plan
read_entry(const char *name, const struct yaml *entry, const struct network *net, const struct pipeline *q)
{
	static const char *const keys[] = { "offset", "recompute", "select_recompute",
		"select_comm_recompute", "interleave_num", "show", "file_name", NULL };
	const struct yaml *interleave = yaml_get(entry, "interleave_num");
	int chunks = interleave == NULL ? q->interleave : yaml_int(interleave, "interleave_num", 1, 1000);
	struct settings s = { 0 };
	struct grid layers;
	struct plan p;

	yaml_known(entry, keys);
	s.offset = settings_list(yaml_get(entry, "offset"), "offset", chunks, q->stages, NULL);
	layers = settings_layers(&s, net->layers, entry->place);
	s.recompute = settings_list(yaml_get(entry, "recompute"), "recompute", chunks, q->stages, &layers);
	s.select_recompute = settings_list(
	    yaml_get(entry, "select_recompute"), "select_recompute", chunks, q->stages, &layers);
	s.select_comm_recompute = settings_list(
	    yaml_get(entry, "select_comm_recompute"), "select_comm_recompute", chunks, q->stages, &layers);
	p = strategy_from_settings(name, PLAN_MANUAL, &s, net, q, entry->place);
	free(layers.at);
	settings_free(&s);
	return p;
}

struct strategies
strategies_read(const struct yaml *file, const struct network *net, const struct pipeline *q)
{
	struct strategies all = { .n = file->n };

	if (file->type != YAML_MAP)
		place_die(file->place, "not a map from names to settings");
	all.plan = xcalloc((size_t)all.n, sizeof *all.plan);
	for (int i = 0; i < all.n; i++)
		all.plan[i] = read_entry(file->key[i], file->item[i], net, q);
	return all;
}

void
strategies_free(struct strategies *all)
{
	for (int i = 0; i < all->n; i++)
		fields_free(&plan_fields, &all->plan[i]);
	free(all->plan);
	*all = (struct strategies){ 0 };
}
