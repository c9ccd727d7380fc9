#include "strategy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/schedule/schedule.h"

enum { PICTURE_MOST = 200 };

/* Return the schedule for a strategy whose interleave differs from its pipeline's. */
static int
schedule_for(const struct pipeline *q, int interleave)
{
	bool any = schedule_chunks((enum schedule_kind)q->schedule) == 0 && q->schedule != SCHEDULE_CUSTOM;

	if (interleave == q->interleave || (any && interleave > 1))
		return q->schedule;
	return (int)schedule_usual(interleave, false);
}

/*
 * Store the counts of each BODY layer in data order. Unbound HEAD and TAIL layers are on the first and the last piece.
 */
static void
count(struct plan *p, const struct grid kind[RECOMPUTE_KINDS], const enum recompute first[RECOMPUTE_KINDS],
    const struct network *net, const struct pipeline *q)
{
	struct shape shape = plan_shape(p, q);
	int *order = schedule_pieces(&shape), *layers = xcalloc((size_t)net->nbodies, sizeof *layers), n = 0;
	struct grid (*of)[RECOMPUTE_KINDS] = xcalloc((size_t)net->nbodies, sizeof *of);

	for (int b = 0; b < net->nbodies; b++)
		if (net->body[b].side == 0)
			layers[n++] = net->body[b].layers;
	settings_deal(kind, first, order, n, layers, of);
	n = 0;
	for (int b = 0; b < net->nbodies; b++) {
		struct body_counts *c;

		if (net->body[b].side != 0)
			continue;
		c = array_add(&body_counts_fields, &p->counts);
		c->name = xstrdup(net->body[b].name);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (of[n][k].at != NULL)
				GIVE(body_counts, c, kind[k], of[n][k]);
		n++;
	}
	free(order);
	free(layers);
	free(of);
}

struct plan
strategy_from_settings(const char *name, enum plan_origin origin, const struct settings *s,
    const struct network *net, const struct pipeline *q, struct place at)
{
	struct grid kind[RECOMPUTE_KINDS];
	struct plan p;

	settings_to_counts(s, network_body_layers(net), kind, at);
	p = strategy_from_kinds(name, origin, s, kind, recompute_costly_first, net, q);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
	return p;
}

struct plan
strategy_from_kinds(const char *name, enum plan_origin origin, const struct settings *s,
    const struct grid kind[RECOMPUTE_KINDS], const enum recompute first[RECOMPUTE_KINDS], const struct network *net,
    const struct pipeline *q)
{
	struct plan p = { .origin = origin, .interleave = s->offset.chunks };

	p.name = xstrdup(name);
	p.schedule = schedule_for(q, p.interleave);
	p.offset = grid_copy(s->offset);
	p.recompute = grid_copy(s->recompute);
	p.select_recompute = grid_copy(s->select_recompute);
	p.select_comm_recompute = grid_copy(s->select_comm_recompute);
	count(&p, kind, first, net, q);
	return p;
}

struct plan
strategy_from_layers(const char *name, enum plan_origin origin, const struct settings *s, const int *kind,
    const struct network *net, const struct pipeline *q, struct place at)
{
	struct plan p = { .origin = origin, .interleave = s->offset.chunks };
	struct grid layers = settings_layers(s, network_body_layers(net), at), all[RECOMPUTE_KINDS];
	struct shape shape;
	struct settings lists;
	int *order, layer = 0, body = -1, left = 0, first = 0;

	while (net->body[first].side < 0)
		first++;
	p.name = xstrdup(name);
	p.schedule = schedule_for(q, p.interleave);
	p.offset = grid_copy(s->offset);
	shape = plan_shape(&p, q);
	order = schedule_pieces(&shape);
	for (int b = 0; b < net->nbodies; b++)
		if (net->body[b].side == 0)
			((struct body_counts *)array_add(&body_counts_fields, &p.counts))->name =
			    xstrdup(net->body[b].name);
	for (int i = 0; i < layers.chunks * layers.stages; i++)
		for (int j = 0; j < layers.at[order[i]]; j++, layer++) {
			struct body_counts *c;

			/* Skip bodies without layers left. */
			for (; left == 0; left = net->body[first + body].layers)
				body++;
			c = (struct body_counts *)p.counts.at + body;
			if (c->kind[kind[layer]].at == NULL)
				GIVE(body_counts, c, kind[kind[layer]], grid_new(layers.chunks, layers.stages));
			c->kind[kind[layer]].at[order[i]]++;
			left--;
		}
	plan_kinds(&p, layers.chunks, layers.stages, all);
	lists = settings_from_counts(all, network_body_layers(net));
	p.recompute = lists.recompute;
	p.select_recompute = lists.select_recompute;
	p.select_comm_recompute = lists.select_comm_recompute;
	free(lists.offset.at);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(all[k].at);
	free(layers.at);
	free(order);
	return p;
}

static bool
all_have(const struct network *net, enum recompute kind)
{
	for (int b = 0; b < net->nbodies; b++)
		if (net->body[b].side == 0 && !net->body[b].has[kind])
			return false;
	return true;
}

/* Return the kind that keeps least, of the kinds with figures for all layers. */
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
	int pieces = q->stages * q->interleave, layers = network_body_layers(net);
	enum recompute kind = recomputed ? strongest(net) : RECOMPUTE_NONE;
	struct grid counts[RECOMPUTE_KINDS] = { 0 };
	struct settings s;

	if (layers % pieces != 0 || !all_have(net, kind) || recomputed != (kind != RECOMPUTE_NONE))
		return false;
	counts[kind] = grid_new(q->interleave, q->stages);
	for (int i = 0; i < pieces; i++)
		counts[kind].at[i] = layers / pieces;
	s = settings_from_counts(counts, layers);
	*p = strategy_from_settings(
	    recomputed ? "naive_all_recomp" : "naive_no_recomp", PLAN_NAIVE, &s, net, q, net->place);
	settings_free(&s);
	free(counts[kind].at);
	return true;
}

/* Return the file name of a picture, without its directory. */
static char *
read_picture(const struct yaml *node)
{
	const char *name = yaml_string(node, "file_name"), *dot = strrchr(name, '.');

	if (dot == NULL || dot == name || name[0] == '.' || strchr(name, '/') != NULL || strlen(name) > PICTURE_MOST ||
	    (strcmp(dot, ".svg") != 0 && strcmp(dot, ".png") != 0 && strcmp(dot, ".pdf") != 0))
		place_die(node->place, "file_name: expected a name that ends in .svg, .png or .pdf, without a "
		    "directory '%s'", name);
	for (const char *c = name; *c != '\0'; c++)
		if (iscntrl((unsigned char)*c))
			place_die(node->place, "file_name: control characters in it");
	return xstrdup(name);
}

static struct plan
read_entry(const char *name, const struct yaml *entry, const struct network *net, const struct pipeline *q)
{
	static const char *const keys[] = { "offset", "recompute", "select_recompute",
		"select_comm_recompute", "interleave_num", "show", "file_name", NULL };
	const struct yaml *interleave = entry->type == YAML_MAP ? yaml_get(entry, "interleave_num") : NULL;
	int chunks = interleave == NULL ? q->interleave : yaml_int(interleave, "interleave_num", 1, 1000);
	struct settings s = { 0 };
	struct grid layers;
	struct plan p;

	if (entry->type != YAML_MAP)
		place_die(entry->place, "'%s' is not a map of settings, such as offset and recompute", name);
	yaml_known(entry, keys);
	s.offset = settings_list(yaml_get(entry, "offset"), "offset", chunks, q->stages, NULL);
	layers = settings_layers(&s, network_body_layers(net), entry->place);
	s.recompute = settings_list(yaml_get(entry, "recompute"), "recompute", chunks, q->stages, &layers);
	s.select_recompute = settings_list(
	    yaml_get(entry, "select_recompute"), "select_recompute", chunks, q->stages, &layers);
	s.select_comm_recompute = settings_list(
	    yaml_get(entry, "select_comm_recompute"), "select_comm_recompute", chunks, q->stages, &layers);
	p = strategy_from_settings(name, PLAN_MANUAL, &s, net, q, entry->place);
	if (yaml_get(entry, "file_name") != NULL)
		GIVE(plan, &p, picture, read_picture(yaml_get(entry, "file_name")));
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
