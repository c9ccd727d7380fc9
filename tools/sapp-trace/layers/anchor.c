#include "anchor.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static const double much = 0.5;		/* minimum fraction of the time that the best repetition must cover */

void
anchors_init(struct anchors *a, const struct sequence *s)
{
	*a = (struct anchors){ .is = xcalloc(s->ntypes + 1, sizeof *a->is), .first = NO_ANCHOR };
}

void
anchors_add(struct anchors *a, const struct sequence *s, uint32_t type)
{
	a->n += !a->is[type];
	a->is[type] = true;
	if (a->first == NO_ANCHOR || s->type[type].time > s->type[a->first].time)
		a->first = type;
}

/* Return the type whose name is NAME, or contains it; NO_ANCHOR: none. */
static uint32_t
named(const struct sequence *s, const char *name, bool backward)
{
	uint32_t best = NO_ANCHOR;

	for (uint32_t i = 0; i < s->ntypes; i++) {
		const struct kernel_type *t = &s->type[i];
		bool whole = strcmp(t->name, name) == 0;

		if ((t->roles & ROLE_COMMUNICATION) || strstr(t->name, name) == NULL ||
		    ((t->roles & ROLE_GRADIENT) != 0) != backward)
			continue;
		if (whole)
			return i;
		if (best == NO_ANCHOR || t->time > s->type[best].time)
			best = i;
	}
	return best;
}

void
anchors_named(struct anchors *a, const struct sequence *s, const char *names, bool backward)
{
	char *list = xstrdup(names), *rest = list, *name;

	while ((name = strsep(&rest, ",")) != NULL) {
		uint32_t type = named(s, name, backward);

		if (type != NO_ANCHOR)
			anchors_add(a, s, type);
		else if (!backward)
			place_die((struct place){ .source = "-anchor" }, "-anchor: no kernel has this name '%s'", name);
	}
	free(list);
}

void
anchors_attention(struct anchors *a, const struct sequence *s, bool backward)
{
	for (uint32_t i = 0; i < s->ntypes; i++) {
		const struct kernel_type *t = &s->type[i];

		if ((t->roles & ROLE_ATTENTION) && !(t->roles & ROLE_COMMUNICATION) &&
		    ((t->roles & ROLE_GRADIENT) != 0) == backward && t->count > 0)
			anchors_add(a, s, i);
	}
}

void
anchors_gradient(struct anchors *a, const struct work *w, const struct sequence *s, size_t many)
{
	size_t *n = xcalloc(s->ntypes + 1, sizeof *n);
	uint32_t best = NO_ANCHOR;

	for (size_t i = 0; i < w->n; i++)
		if ((w->at[i]->flags & ITEM_BACKWARD) || (s->type[w->at[i]->type].roles & ROLE_GRADIENT))
			n[w->at[i]->type]++;
	for (uint32_t i = 0; i < s->ntypes; i++)
		if (n[i] == many && !(s->type[i].roles & ROLE_OPTIMIZER) &&
		    (best == NO_ANCHOR || s->type[i].time > s->type[best].time))
			best = i;
	if (best != NO_ANCHOR)
		anchors_add(a, s, best);
	free(n);
}

char *
anchors_text(const struct anchors *a, const struct sequence *s)
{
	char *text = xstrdup("");

	for (uint32_t i = 0; i < s->ntypes && a->n > 0; i++) {
		char *longer;

		if (!a->is[i])
			continue;
		longer = xasprintf("%s%s%.60s", text, *text ? ", " : "", s->type[i].name);
		free(text);
		text = longer;
	}
	return text;
}

void
anchors_free(struct anchors *a)
{
	free(a->is);
	*a = (struct anchors){ 0 };
}

struct repetition {		/* repetition of the kernels of one type */
	size_t last;		/* 1 + index of its previous kernel; 0: none yet */
	uint64_t window;	/* hash of the kernels between its previous two kernels */
	size_t length;
	double window_time;
	double time;		/* ns, windows that equal a neighbouring window */
	uint32_t windows;
	bool joined;		/* whether the previous window was counted */
	uint32_t count;
};

uint32_t
anchor_repeated(const struct work *w, const struct sequence *s, const bool taken[], unsigned flag)
{
	static const uint64_t base = UINT64_C(0x100000001b3);
	struct repetition *r = xcalloc(s->ntypes, sizeof *r);
	uint64_t *prefix = xcalloc(w->n + 1, sizeof *prefix), *power = xcalloc(w->n + 1, sizeof *power);
	double *time = xcalloc(w->n + 1, sizeof *time), most = 0;
	uint32_t *products = xcalloc(w->n + 1, sizeof *products);
	uint32_t best = NO_ANCHOR;

	power[0] = 1;
	for (size_t i = 0; i < w->n; i++) {
		/* A window includes everything between two kernels; taken kernels end every repetition. */
		prefix[i + 1] = prefix[i] * base + (taken[i] ? i + UINT64_C(0x7fffffff) : w->at[i]->type + 1);
		power[i + 1] = power[i] * base;
		products[i + 1] = products[i] + ((s->type[w->at[i]->type].roles & ROLE_MATMUL) != 0);
		time[i + 1] = time[i] + (double)(w->at[i]->end - w->at[i]->start);
	}
	for (size_t i = 0; i < w->n; i++) {
		struct repetition *x = &r[w->at[i]->type];
		size_t from = x->last, length;
		uint64_t window;

		if (taken[i] || (flag != 0 && !(w->at[i]->flags & flag)))
			continue;
		x->last = i + 1;
		x->count++;
		if (from == 0)
			continue;
		from--;
		length = i - from;
		window = prefix[i] - prefix[from] * power[length];
		if (length == x->length && window == x->window && products[i] > products[from]) {
			if (!x->joined) {
				x->time += x->window_time;
				x->windows++;
			}
			x->time += time[i] - time[from];
			x->windows++;
			x->joined = true;
		} else
			x->joined = false;
		x->window = window;
		x->length = length;
		x->window_time = time[i] - time[from];
	}
	/* Ignore a type whose kernels mostly run outside of repetitions. */
	for (uint32_t i = 0; i < s->ntypes; i++)
		if ((s->type[i].roles & ROLE_OPTIMIZER) || 2 * r[i].windows < r[i].count)
			r[i].time = 0;
		else if (r[i].time > most)
			most = r[i].time;
	for (uint32_t i = 0; i < s->ntypes && most > 0; i++)
		if (r[i].time >= much * most && (best == NO_ANCHOR ||
		    r[i].windows > r[best].windows ||
		    (r[i].windows == r[best].windows && s->type[i].time > s->type[best].time)))
			best = i;
	free(r);
	free(prefix);
	free(power);
	free(products);
	free(time);
	return best;
}
