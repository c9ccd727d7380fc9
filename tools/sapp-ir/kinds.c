#include "kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clipped.h"
#include "lib/record/record.h"
#include "lib/yaml/operator_lists.h"
#include "timed.h"

#define MEGA 1048576.0

static const double uncertain = 0.1, uncertain_time = 0.5;	/* relative error of savings; relative error of times */

/* Return the ms of a forward in which the device works. */
static double
forward_of(const struct layer *l)
{
	double forward = GIVEN(layer, l, forward_time) ? l->forward_time : l->time;

	return GIVEN(layer, l, busy_time) ? fmin(l->busy_time, forward) : forward;
}

static void
give_time(const struct layer *l, struct kind_figures *of, double again)
{
	struct kind_figures plain = layer_figures(l, RECOMPUTE_NONE);
	double twice = 2 * (GIVEN(layer, l, time) ? l->time : l->forward_time);

	of->given &= ~field_bit(&kind_figures_fields, offsetof(struct kind_figures, backward_coef));
	GIVE(kind_figures, of, backward_time, again * forward_of(l) +
	    (GIVEN(kind_figures, &plain, backward_time) ? plain.backward_time : (1 + plain.backward_coef) * twice));
}

/* Return the figures of the kind NAME in a layer. They are created if needed. */
static struct kind_figures *
figures_of(struct layer *l, const char *name)
{
	struct kind_figures *at = l->kinds.at;

	for (int i = 0; i < l->kinds.n; i++)
		if (strcmp(at[i].name, name) == 0)
			return &at[i];
	at = array_add(&kind_figures_fields, &l->kinds);
	at->name = xstrdup(name);
	field_give(&layer_fields, l, offsetof(struct layer, kinds));
	return at;
}

/* Return the only kind of BODY layers. Exits if several exist. */
static struct layer *
body_of(const struct records *all)
{
	struct record *found = NULL;

	for (size_t i = 0; i < all->n; i++) {
		struct record *r = &all->at[i];

		if (r->kind != RECORD_LAYER || r->layer.type != LAYER_BODY)
			continue;
		if (found != NULL)
			place_die(r->place, "layer: '%s' in addition to '%s': a graph is only read for one kind of "
			    "BODY layers",
			    r->layer.name, found->layer.name);
		found = r;
	}
	if (found == NULL)
		place_die((struct place){ "<stdin>", 0 }, "no layer record of type BODY; give the records of "
		    "sapp-memsplit on standard input");
	if (!GIVEN(layer, &found->layer, time) && !GIVEN(layer, &found->layer, forward_time))
		place_die(found->place, "layer: '%s' has no time", found->layer.name);
	return &found->layer;
}

static double
figure_of(const struct layer *l, int kind)
{
	struct kind_figures of = layer_figures(l, kind);

	return GIVEN(kind_figures, &of, activation) ? of.activation : 0;
}

/* Add a computed value to the fit records. */
static void
say(const struct records *all, const char *name, double value, double error)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].kind == RECORD_FIT) {
			struct estimate *e = array_add(&estimate_fields, &all->at[i].fit.estimates);

			field_give(&fit_fields, &all->at[i].fit, offsetof(struct fit, estimates));
			e->name = xstrdup(name);
			e->value = value;
			GIVE(estimate, e, error, error);
			GIVE(estimate, e, computed, true);
		}
}

/*
 * Return the MB that a layer keeps without recomputation: as measured, or measured with recomputation plus the
 * difference in the graph.
 */
static double
kept_whole(const struct records *all, struct layer *l, const struct chain *c)
{
	double none = figure_of(l, RECOMPUTE_NONE), full = figure_of(l, RECOMPUTE_FULL);

	if (none > 0)
		return none;
	if (full <= 0)
		place_die((struct place){ "<stdin>", 0 }, "layer: '%s' has neither memory_activation nor "
		    "memory_recompute, from which others are computed", l->name);
	none = full + (c->none.kept - c->full.kept) / MEGA;
	GIVE(layer, l, memory[RECOMPUTE_NONE], none);
	say(all, recompute_names[RECOMPUTE_NONE], none, uncertain * none);
	place_warn((struct place){ 0 }, "memory without recomputation is computed from the graph: %.1f MB, error up to "
	    "%.1f MB", none,
	    uncertain * none);
	return none;
}

/* Return the names of the kinds of the links. They are named like lists that recompute one layer with each link. */
static struct operator_kinds
name_kinds(const struct chain *c)
{
	struct operator_lists lists = { 0 };
	struct operator_kinds kinds = { 0 };
	struct grid layers = grid_new(1, c->n), kind[RECOMPUTE_KINDS];
	const struct texts *all = &c->at[c->n - 1].patterns;

	for (int j = 0; j < c->n; j++)
		layers.at[j] = 1;
	for (int p = 0; p < all->n; p++) {
		struct grid count = grid_new(1, c->n);

		/* Each link begins with the patterns of the link before it. */
		for (int j = 0; j < c->n; j++)
			count.at[j] = p < c->at[j].patterns.n;
		operator_lists_add(&lists, all->at[p], false, count, (struct place){ 0 });
	}
	operator_lists_kinds(&lists, &kinds, (struct grid){ 0 }, layers, kind);
	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		free(kind[k].at);
	free(layers.at);
	operator_lists_free(&lists);
	return kinds;
}

static void
give_link(const struct records *all, struct layer *l, const struct chain *c, const struct link *link, const char *name)
{
	double none = figure_of(l, RECOMPUTE_NONE), saved = (c->none.kept - link->effect.kept) / MEGA;
	double off = fmax(uncertain, fabs(none * MEGA / c->none.kept - 1)) * saved;
	double kept = fmax(none - saved, fmax(figure_of(l, RECOMPUTE_FULL), 0));
	struct kind_figures *of = figures_of(l, name);

	GIVE(kind_figures, of, activation, kept);
	give_time(l, of, link->effect.again);
	say(all, name, kept, off);
	place_warn((struct place){ 0 }, "'%s' is computed from the graph: it saves %.1f of %.1f MB (error up to %.1f) "
	    "and takes %.1f %% of a forward (error up to %.0f %%); to measure it, make a run in which some layers use "
	    "it", name, saved, none, off, 100 * link->effect.again, 100 * uncertain_time);
}

/* Set the backward time of the kind in record R, from its patterns. */
static void
time_kind(struct dump *g, struct layer *l, const struct record *r)
{
	const struct operators *o = &r->operators;
	struct ir_pattern *p = xcalloc((size_t)o->select_recompute.n + 1, sizeof *p);
	struct kind_figures *at = l->kinds.at, *of = NULL;
	struct effect e;
	char message[200];

	for (int i = 0; i < o->select_recompute.n; i++) {
		struct clipped why = CLIPPED(message);

		if (!pattern_read(&p[i], o->select_recompute.at[i], &why))
			place_die(r->place, "kind: not a pattern: %s '%s'", message, o->select_recompute.at[i]);
	}
	for (int i = 0; i < l->kinds.n; i++)
		if (strcmp(at[i].name, o->name) == 0)
			of = &at[i];
	if (of != NULL && !GIVEN(kind_figures, of, backward_time)) {
		e = chain_effect(g, p, o->select_recompute.n);
		give_time(l, of, e.again);
		place_warn((struct place){ 0 }, "the backward with '%s' is computed from the graph: it is longer by "
		    "%.1f %% of a forward (error up to %.0f %%)", o->name, 100 * e.again, 100 * uncertain_time);
	}
	for (int i = 0; i < o->select_recompute.n; i++)
		ir_pattern_free(&p[i]);
	free(p);
}

static void
check(const struct dump *g, struct effect none)
{
	if (g->instances == 0)
		place_die((struct place){ 0 }, "no operation of a layer in the graph: no scope has a layer with a "
		    "number, such as '0-LLamaDecodeLayer'");
	if (none.kept <= 0)
		place_die((struct place){ 0 }, "no backward in the graph uses results of layers; give the graph of a "
		    "late pass, such as *_validate_*.ir, which has shapes and the scope 'Gradients/'");
}

void
kinds_write(struct dump *g, const struct ir_pattern *p, int n, int most)
{
	char *nothing[] = { NULL };
	struct operator_kinds kinds = { 0 };
	struct records all;
	struct layer *l;
	double known;
	bool there = false;

	dump_complete(g);
	check(g, chain_effect(g, NULL, 0));
	records_read(&all, nothing, RECORDS(RECORD_LAYER) | RECORDS(RECORD_KIND) | RECORDS(RECORD_FIT) |
	    RECORDS(RECORD_KERNEL));
	l = body_of(&all);
	known = timed_take(g, &all, forward_of(l));
	for (size_t i = 0; i < all.n; i++)
		if (all.at[i].kind == RECORD_KIND && all.at[i].operators.select_recompute.n > 0) {
			time_kind(g, l, &all.at[i]);
			there = true;
		}
	if (known > 0)
		place_warn((struct place){ 0 }, "times of kernels are known for %.0f %% of a forward; the others are "
		    "computed from shapes", 100 * known);
	if (!there) {
		struct chain c = chain_new(g, p, n, most);

		kept_whole(&all, l, &c);
		if (c.n > 0)
			kinds = name_kinds(&c);
		for (int j = 0; j < c.n; j++)
			give_link(&all, l, &c, &c.at[j], kinds.at[j].name);
		chain_free(&c);
	}
	for (size_t i = 0; i < all.n; i++) {
		const struct record *r = &all.at[i];

		if (r->kind == RECORD_LAYER)
			for (int j = 0; j < kinds.n; j++)
				record_put(stdout, RECORD_KIND, &kinds.at[j]);
		if (r->kind == RECORD_LAYER)
			operator_kinds_free(&kinds);
		if (r->kind == RECORD_FIT)
			record_put(stdout, RECORD_FIT, &r->fit);
		else if (r->kind == RECORD_LAYER && &r->layer == l)
			record_put(stdout, RECORD_LAYER, l);
		else
			record_write(stdout, r);
	}
	records_free(&all);
}
