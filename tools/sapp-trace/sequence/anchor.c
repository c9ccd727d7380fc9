#include "anchor.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static const double much = 0.5;		/* of the time that the best repetition covers */

uint32_t
anchor_named(const struct sequence *s, const char *name, bool backward)
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
	if (best == NO_ANCHOR && !backward)
		place_die((struct place){ .source = "-anchor" }, "no kernel of that name '%s'", name);
	return best;
}

uint32_t
anchor_attention(const struct sequence *s, bool backward)
{
	uint32_t best = NO_ANCHOR;

	for (uint32_t i = 0; i < s->ntypes; i++) {
		const struct kernel_type *t = &s->type[i];

		if (!(t->roles & ROLE_ATTENTION) || (t->roles & ROLE_COMMUNICATION) ||
		    ((t->roles & ROLE_GRADIENT) != 0) != backward || t->count == 0)
			continue;
		if (best == NO_ANCHOR || t->time > s->type[best].time)
			best = i;
	}
	return best;
}

struct repetition {		/* of one type */
	size_t last;		/* its kernel before, + 1; 0: none yet */
	uint64_t window;	/* what ran from there to the one before it */
	size_t length;
	double window_time;
	double time;		/* ns of windows that are like the one before or behind */
	uint32_t windows;
	bool joined;		/* the window before was counted */
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
		/* What lies between is part of the window: kernels that are taken end every repetition. */
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
	/* A kernel that mostly runs elsewhere tells no layers. */
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
