/* Stage contents: depth-first enumeration, chunk by chunk. */
#include "stage_contents.h"

#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"

enum { CHECK_EVERY = 1024 };	/* contents between checks of the clock */

/*
 * Return the *N contents that a piece can hold, sorted by number of layers. If a content is too large, so are all
 * contents after it.
 */
static int *
by_layers(const struct problem *p, int piece, int *n)
{
	const struct contents *m = &p->contents;
	int *order = xcalloc((size_t)m->ncontents, sizeof *order);
	/* [most + 2], index at which to store the next content with this number of layers */
	int *next = xcalloc((size_t)m->most + 2, sizeof *next);

	*n = 0;
	for (int i = 0; i < m->ncontents; i++)
		if (piece_can_hold(p, piece, i)) {
			next[m->content[i].layers + 1]++;
			++*n;
		}
	for (int layers = 1; layers <= m->most; layers++)
		next[layers + 1] += next[layers];
	for (int i = 0; i < m->ncontents; i++)
		if (piece_can_hold(p, piece, i))
			order[next[m->content[i].layers]++] = i;
	free(next);
	return order;
}

struct content_listing {
	const struct problem *p;
	int stage;
	int choices[CHUNKS_MAX], *choice[CHUNKS_MAX];	/* [chunks][choices], contents from by_layers() */
	int content[CHUNKS_MAX];	/* [chunks], current contents */
	long tries;		/* number of remaining tries */
	double deadline;
	keep_contents *keep;
	void *with;
};

/* Return whether the contents of chunks U and V are in model order. */
static bool
chunks_in_order(const struct content_listing *l, int u, int v)
{
	const struct problem *p = l->p;
	bool before = p->position[u * p->stages + l->stage] < p->position[v * p->stages + l->stage];
	const int *first = p->contents.content[l->content[before ? u : v]].body;
	const int *then = p->contents.content[l->content[before ? v : u]].body;
	int last = p->net->nbodies - 1, begin = 0;

	while (last > 0 && first[last] == 0)
		last--;
	while (begin < p->net->nbodies - 1 && then[begin] == 0)
		begin++;
	return last <= begin;
}

/*
 * Try contents for chunk V and later chunks, fewest layers first. *ANY: whether some contents were kept. Contents that
 * are kept would also be kept with one layer less. So if no contents with some number of layers are kept, no contents
 * with more layers are kept. Return false if the tries or the time are used up.
 */
static bool
list_from(struct content_listing *l, int v, bool *any)
{
	const struct problem *p = l->p;
	int layers = -1;	/* number of layers of the current contents */
	bool some = true;	/* whether some contents with this number of layers were kept */

	for (int i = 0; i < l->choices[v]; i++) {
		bool in_order = true;

		l->content[v] = l->choice[v][i];
		if (p->contents.content[l->content[v]].layers != layers) {
			if (!some)
				break;
			layers = p->contents.content[l->content[v]].layers;
			some = false;
		}
		if (l->tries-- <= 0 || (l->tries % CHECK_EVERY == 0 && !clock_left(l->deadline)))
			return false;
		for (int u = 0; u < v && p->net->nbodies > 1; u++)
			in_order &= chunks_in_order(l, u, v);
		if (!in_order || !l->keep(l->with, l->stage, l->content, v + 1))
			continue;
		if (v == p->chunks - 1)
			some = true;
		else if (!list_from(l, v + 1, &some))
			return false;
		*any |= some;
	}
	return true;
}

bool
stage_contents_each(const struct problem *p, int stage, long tries, double deadline, keep_contents *keep, void *with)
{
	struct content_listing l = { .p = p, .stage = stage, .tries = tries, .deadline = deadline, .keep = keep,
	    .with = with };
	bool any = false, whole;

	for (int v = 0; v < p->chunks; v++)
		l.choice[v] = by_layers(p, v * p->stages + stage, &l.choices[v]);
	whole = list_from(&l, 0, &any);
	for (int v = 0; v < p->chunks; v++)
		free(l.choice[v]);
	return whole;
}
