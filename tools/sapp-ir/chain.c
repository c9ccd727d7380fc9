#include "chain.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "lib/base/place.h"

/*
 * Minimum fraction of memory that a kind must save, and maximum fraction of the forward that it may recompute. To
 * recompute all is another kind.
 */
static const double worth = 0.002, too_much = 0.9;

struct chain_item {			/* operations that are recomputed together */
	bool *group;		/* [groups], whether the group is recomputed */
	struct texts patterns;
	bool used;
};

struct items {
	int n;
	struct chain_item *at;
};

/* Return the pattern for a name: 'feed_forward\.mul' for "feed_forward.mul". */
static char *
pattern_of(const char *name)
{
	char *text;
	size_t size;
	FILE *f = memstream_open(&text, &size);

	for (; *name != '\0'; name++)
		fputs(*name == '.' ? "\\." : (char[]){ *name, '\0' }, f);
	memstream_close(f);
	return text;
}

static struct chain_item *
item_add(struct items *items, const struct dump *g)
{
	struct chain_item *item = APPEND(items->at, items->n);

	*item = (struct chain_item){ .group = xcalloc(g->names.ngroups, sizeof *item->group) };
	return item;
}

/* Return an item for each operation of layers, together with the operations that only reshape its result. */
static struct items
items_of_groups(const struct dump *g)
{
	struct items items = { 0 };

	for (uint32_t i = 0; i < g->names.ngroups; i++) {
		struct chain_item *item;

		if (!g->computes[i])
			continue;
		item = item_add(&items, g);
		for (uint32_t j = 0; j < g->names.ngroups; j++)
			if (j == i || dump_shows(g, j, i)) {
				char *text = pattern_of(g->names.group[j].name);

				item->group[j] = true;
				texts_add(&item->patterns, text);
				free(text);
			}
	}
	return items;
}

/*
 * Return an item for each pattern that matches a computation, together with the patterns that match only reshapes of
 * its result.
 */
static struct items
items_of_patterns(const struct dump *g, const struct ir_pattern *p, int n)
{
	struct items items = { 0 };
	uint32_t groups = g->names.ngroups;

	for (int i = 0; i < n; i++) {
		struct chain_item *item = item_add(&items, g);
		bool *own = xcalloc(groups, sizeof *own), any = false;

		for (uint32_t j = 0; j < groups; j++) {
			item->group[j] = own[j] = pattern_means(&p[i], g->names.group[j].name);
			own[j] &= g->computes[j];
			any |= own[j];
		}
		texts_add(&item->patterns, p[i].text);
		for (int k = 0; k < n && any; k++) {
			bool shows = false;

			for (uint32_t j = 0; j < groups && k != i; j++)
				for (uint32_t of = 0; of < groups && pattern_means(&p[k], g->names.group[j].name); of++)
					if (own[of] && dump_shows(g, j, of))
						shows = item->group[j] = true;
			if (shows)
				texts_add(&item->patterns, p[k].text);
		}
		free(own);
		item->used = !any;
	}
	return items;
}

static struct effect
with(struct dump *g, const bool *chosen, const struct chain_item *item, bool *both)
{
	for (uint32_t i = 0; i < g->names.ngroups; i++)
		both[i] = chosen[i] || item->group[i];
	return dump_effect(g, both);
}

/* Return the item with the best ratio of savings to time; NULL: no item is worthwhile. */
static struct chain_item *
best_of(struct dump *g, struct items *items, const bool *chosen, struct effect now, double none, struct effect *then,
    bool *both)
{
	struct chain_item *best = NULL;
	double most = 0;

	for (int i = 0; i < items->n; i++) {
		struct effect e;
		double rate;

		if (items->at[i].used)
			continue;
		e = with(g, chosen, &items->at[i], both);
		if (now.kept - e.kept < worth * none || e.again > too_much)
			continue;
		rate = (now.kept - e.kept) / (e.again - now.again + 1e-6);
		if (rate > most) {
			most = rate;
			best = &items->at[i];
			*then = e;
		}
	}
	return best;
}

static bool
text_there(const struct texts *list, const char *text)
{
	for (int i = 0; i < list->n; i++)
		if (strcmp(list->at[i], text) == 0)
			return true;
	return false;
}

/* Return the link whose removal costs least, measured by the area below the steps of memory over time. */
static int
least_missed(const struct chain *c, const struct link *at, int n)
{
	double least = 0;
	int found = 0;

	for (int i = 0; i < n; i++) {
		double before = i > 0 ? at[i - 1].effect.kept : c->none.kept;
		double behind = i + 1 < n ? at[i + 1].effect.again : 1;
		double area = (before - at[i].effect.kept) * (behind - at[i].effect.again);

		if (i == 0 || area < least) {
			least = area;
			found = i;
		}
	}
	return found;
}

static void
say_useless(const struct items *items)
{
	for (int i = 0; i < items->n; i++)
		if (!items->at[i].used)
			place_warn((struct place){ 0 }, "'%s' saves nothing in this graph: its result is not needed "
			    "for the backward, or stays in another form", items->at[i].patterns.at[0]);
}

struct chain
chain_new(struct dump *g, const struct ir_pattern *p, int n, int most)
{
	struct chain c = { 0 };
	struct items items = n > 0 ? items_of_patterns(g, p, n) : items_of_groups(g);
	struct link *at = NULL;
	int links = 0;
	bool *chosen = xcalloc(g->names.ngroups + 1, sizeof *chosen);
	bool *both = xcalloc(g->names.ngroups + 1, sizeof *both);
	struct effect now, then = { 0 };
	struct chain_item *item;

	now = c.none = dump_effect(g, chosen);
	while ((item = best_of(g, &items, chosen, now, c.none.kept, &then, both)) != NULL) {
		struct link *l = APPEND(at, links);

		*l = (struct link){ .effect = then };
		for (int i = 0; links > 1 && i < at[links - 2].patterns.n; i++)
			texts_add(&l->patterns, at[links - 2].patterns.at[i]);
		for (int i = 0; i < item->patterns.n; i++)
			if (!text_there(&l->patterns, item->patterns.at[i]))
				texts_add(&l->patterns, item->patterns.at[i]);
		for (uint32_t i = 0; i < g->names.ngroups; i++)
			chosen[i] |= item->group[i];
		item->used = true;
		now = then;
	}
	if (n > 0)
		say_useless(&items);
	for (; links > most; links--) {
		int i = least_missed(&c, at, links);

		texts_free(&at[i].patterns);
		memmove(&at[i], &at[i + 1], (size_t)(links - 1 - i) * sizeof *at);
	}
	for (c.n = 0; c.n < links; c.n++)
		c.at[c.n] = at[c.n];
	memset(both, 1, g->names.ngroups * sizeof *both);
	c.full = dump_effect(g, both);
	for (int i = 0; i < items.n; i++) {
		free(items.at[i].group);
		texts_free(&items.at[i].patterns);
	}
	free(items.at);
	free(at);
	free(chosen);
	free(both);
	return c;
}

struct effect
chain_effect(struct dump *g, const struct ir_pattern *p, int n)
{
	bool *again = xcalloc(g->names.ngroups + 1, sizeof *again);
	struct effect e;

	for (uint32_t j = 0; j < g->names.ngroups; j++)
		for (int i = 0; i < n; i++)
			again[j] |= pattern_means(&p[i], g->names.group[j].name);
	e = dump_effect(g, again);
	free(again);
	return e;
}

void
chain_free(struct chain *c)
{
	for (int i = 0; i < c->n; i++)
		texts_free(&c->at[i].patterns);
}
