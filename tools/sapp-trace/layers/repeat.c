#include "repeat.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

/*
 * Mark the types of kernels that belong to a forward wherever they run: another kernel has the same name followed by
 * Grad.
 */
static void
find_sure(struct repeat *r, const struct sequence *s)
{
	r->sure = xcalloc(s->ntypes, sizeof *r->sure);
	for (uint32_t i = 0; i < s->ntypes; i++) {
		const struct kernel_type *t = &s->type[i];

		if (t->roles & (ROLE_GRADIENT | ROLE_COMMUNICATION))
			continue;
		r->sure[i] = (t->roles & ROLE_ATTENTION) != 0;
		for (uint32_t j = 0; j < s->ntypes && !r->sure[i]; j++) {
			const struct kernel_type *g = &s->type[j];

			r->sure[i] = (g->roles & ROLE_GRADIENT) && g->length == t->length + 4 &&
			    memcmp(g->name, t->name, t->length) == 0 && strcmp(g->name + t->length, "Grad") == 0;
		}
	}
}

void
repeat_init(struct repeat *r, const struct work *w, const struct layer_rows *b, const struct sequence *s)
{
	*r = (struct repeat){ 0 };
	find_sure(r, s);
	for (size_t i = 0; i < b->n && r->n == 0; i++) {
		const struct layer_row *x = &b->at[i];
		size_t from = x->start[0], to = x->layers > 1 ? x->start[1] : x->end;

		if (x->backward || from >= to)
			continue;
		r->n = to - from;
		r->symbol = xcalloc(r->n, sizeof *r->symbol);
		for (size_t k = 0; k < r->n; k++)
			r->symbol[k] = w->at[from + k]->symbol;
	}
}

/* Find the longest part of the forward that runs around kernel K, within [from, to). */
static bool
around(const struct repeat *r, const struct work *w, size_t k, size_t from, size_t to, size_t *first, size_t *last)
{
	size_t best = 0;

	for (size_t i = 0; i < r->n; i++) {
		size_t before = 0, behind = 1;

		if (r->symbol[i] != w->at[k]->symbol)
			continue;
		while (before < i && k - before > from && r->symbol[i - before - 1] == w->at[k - before - 1]->symbol)
			before++;
		while (i + behind < r->n && k + behind < to && r->symbol[i + behind] == w->at[k + behind]->symbol)
			behind++;
		if (before + behind > best) {
			best = before + behind;
			*first = k - before;
			*last = k + behind;
		}
	}
	return best > 0;
}

bool
repeat_next(const struct repeat *r, const struct work *w, size_t from, size_t to, size_t *first, size_t *last)
{
	for (size_t k = from; k < to; k++)
		if (r->sure[w->at[k]->type] && around(r, w, k, from, to, first, last))
			return true;
	/* Without such kernels, half of a layer in a row must repeat. */
	for (size_t k = from; k < to && r->n >= 2; k++)
		if (around(r, w, k, from, to, first, last) && *last - *first >= (r->n + 1) / 2 && *last - *first >= 3)
			return true;
	return false;
}

void
repeat_free(struct repeat *r)
{
	free(r->symbol);
	free(r->sure);
	*r = (struct repeat){ 0 };
}
