/* Menus: what a stage can choose from. */
#include "stage_settings.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum {
	CHUNKS_MAX = 100,
};

struct shelf {
	int *key;		/* stage, contents; NULL: free */
	struct menu *menu;	/* of its own, so that it stays where it is when the shelves grow */
};

static double
peak(const struct problem *p, int stage, const struct content *const chunk[], const double *activation)
{
	const struct rows *r = &p->order.rows[stage];
	double most = 0;

	for (int i = 0; i < r->n; i++) {
		double sum = 0;

		for (int v = 0; v < p->chunks; v++)
			sum += r->live[i * p->chunks + v] * activation[v];
		if (sum > most)
			most = sum;
	}
	return stage_fixed(p, stage, chunk) + most;
}

double
stage_least_memory(const struct problem *p, int stage, const int *content)
{
	const struct content *chunk[CHUNKS_MAX];
	double activation[CHUNKS_MAX];

	for (int v = 0; v < p->chunks; v++) {
		chunk[v] = &p->mixes.content[content[v]];
		activation[v] = chunk[v]->activation;
	}
	return peak(p, stage, chunk, activation);
}

double
stage_peak(const struct problem *p, int stage, const int *content, const int *mix)
{
	const struct content *chunk[CHUNKS_MAX];
	double activation[CHUNKS_MAX];

	for (int v = 0; v < p->chunks; v++) {
		chunk[v] = &p->mixes.content[content[v]];
		activation[v] = problem_mix(p, content[v], mix[v])->activation;
	}
	return peak(p, stage, chunk, activation);
}

/*
 * A growing list of settings, none beaten by another. They come in the lexicographic order of their mixes, along which
 * backward times grow: a later one is slower in the first chunk where they differ, and beats none before it.
 */
struct pareto {
	int n, room, width;
	double *backward;
	short *mix;
};

static bool
beats(const double *a, const double *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] > b[i] * (1 + 1e-12))
			return false;
	return true;
}

static void
pareto_add(struct pareto *l, const double *backward, const short *mix)
{
	size_t w = (size_t)l->width;

	for (int i = 0; i < l->n; i++)
		if (beats(l->backward + (size_t)i * w, backward, l->width))
			return;
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 4;
		l->backward = xreallocarray(l->backward, (size_t)l->room, w * sizeof *backward);
		l->mix = xreallocarray(l->mix, (size_t)l->room, w * sizeof *mix);
	}
	memcpy(l->backward + (size_t)l->n * w, backward, w * sizeof *backward);
	memcpy(l->mix + (size_t)l->n * w, mix, w * sizeof *mix);
	l->n++;
}

double
menu_combinations(const struct problem *p, const int *content)
{
	double product = 1;

	for (int v = 0; v < p->chunks; v++) {
		const struct front *front = mixes_front(&p->mixes, content[v]);

		if (front->thinned)
			return INFINITY;
		if (v < p->chunks - 1)
			product *= front->n;
	}
	return product;
}

/*
 * Every combination of mixes of all chunks but the last, which takes the fastest one that still fits: activation
 * falls along its mixes, backward time grows.
 */
static void
list_all(const struct problem *p, int stage, const struct front *const chunk[], double room, struct pareto *list)
{
	const struct rows *r = &p->order.rows[stage];
	int last = p->chunks - 1, v = 0;
	const struct front *end = chunk[last];
	double backward[CHUNKS_MAX];
	short mix[CHUNKS_MAX] = { 0 };

	while (v >= 0) {
		double most = INFINITY;		/* activation that the last chunk may have */
		int low = 0, high = end->n;

		for (v = 0; v < last; v++)
			backward[v] = chunk[v]->mix[mix[v]].backward;
		for (int i = 0; i < r->n; i++) {
			const int *live = r->live + i * p->chunks;
			double left = room;

			for (v = 0; v < last; v++)
				left -= live[v] * chunk[v]->mix[mix[v]].activation;
			if (live[last] > 0 && left / live[last] < most)
				most = left / live[last];
			else if (live[last] == 0 && left < 0)
				most = -1;
		}
		while (low < high) {
			int middle = (low + high) / 2;

			if (end->mix[middle].activation <= most)
				high = middle;
			else
				low = middle + 1;
		}
		if (low < end->n) {
			mix[last] = (short)low;
			backward[last] = end->mix[low].backward;
			pareto_add(list, backward, mix);
		}
		for (v = last - 1; v >= 0 && ++mix[v] == chunk[v]->n; v--)
			mix[v] = 0;
	}
}

static struct menu
menu_new(const struct problem *p, int stage, const int *content)
{
	const struct content *chunk[CHUNKS_MAX];
	const struct front *front[CHUNKS_MAX];
	struct pareto list = { .width = p->chunks };
	struct menu menu = { .complete = true };
	double room, tries;

	for (int v = 0; v < p->chunks; v++)
		chunk[v] = &p->mixes.content[content[v]];
	room = p->limit[stage] + MEMORY_SLACK - stage_fixed(p, stage, chunk);
	if (room < 0)
		return menu;
	tries = menu_combinations(p, content);
	menu.complete = tries <= p->few.combinations;
	for (int v = 0; v < p->chunks; v++)
		front[v] = mixes_front(&p->mixes, content[v]);
	if (menu.complete)
		list_all(p, stage, front, room, &list);
	menu.tries = (long)fmin(tries, p->few.combinations);
	menu.work = (double)menu.tries * (1 + list.n) * p->chunks;
	menu.n = list.n;
	menu.backward = list.backward;
	menu.mix = list.mix;
	return menu;
}

struct menus
menus_new(const struct problem *p)
{
	struct menus m = { .problem = p, .room = 1024 };

	m.shelf = xcalloc(m.room, sizeof *m.shelf);
	return m;
}

void
menus_free(struct menus *m)
{
	for (size_t i = 0; i < m->room; i++) {
		if (m->shelf[i].key == NULL)
			continue;
		free(m->shelf[i].key);
		free(m->shelf[i].menu->backward);
		free(m->shelf[i].menu->mix);
		free(m->shelf[i].menu);
	}
	free(m->shelf);
	*m = (struct menus){ 0 };
}

static size_t
hash(int stage, const int *content, int chunks)
{
	uint64_t h = 14695981039346656037u ^ (uint64_t)stage;	/* FNV-1a */

	for (int v = 0; v < chunks; v++)
		h = (h * 1099511628211u) ^ (uint64_t)content[v];
	return (size_t)(h ^ h >> 29);
}

static void
grow(struct menus *m)
{
	struct shelf *old = m->shelf;
	size_t n = m->room;

	m->room *= 2;
	m->shelf = xcalloc(m->room, sizeof *m->shelf);
	for (size_t i = 0; i < n; i++)
		if (old[i].key != NULL) {
			size_t at = hash(old[i].key[0], old[i].key + 1, m->problem->chunks) & (m->room - 1);

			while (m->shelf[at].key != NULL)
				at = (at + 1) & (m->room - 1);
			m->shelf[at] = old[i];
		}
	free(old);
}

/* Where the menu stands, or would. */
static struct shelf *
find(const struct menus *m, int stage, const int *content)
{
	int chunks = m->problem->chunks;
	size_t at = hash(stage, content, chunks) & (m->room - 1);

	while (m->shelf[at].key != NULL && (m->shelf[at].key[0] != stage ||
	    memcmp(m->shelf[at].key + 1, content, (size_t)chunks * sizeof *content) != 0))
		at = (at + 1) & (m->room - 1);
	return &m->shelf[at];
}

bool
menus_has(const struct menus *m, int stage, const int *content)
{
	return find(m, stage, content)->key != NULL;
}

const struct menu *
menus_get(struct menus *m, int stage, const int *content)
{
	size_t width = (size_t)m->problem->chunks * sizeof *content;
	struct shelf *s = find(m, stage, content);

	if (s->key != NULL)
		return s->menu;
	if (4 * m->used > 3 * m->room) {
		grow(m);
		s = find(m, stage, content);
	}
	s->key = xcalloc((size_t)m->problem->chunks + 1, sizeof *s->key);
	s->key[0] = stage;
	memcpy(s->key + 1, content, width);
	s->menu = xcalloc(1, sizeof *s->menu);
	*s->menu = menu_new(m->problem, stage, content);
	m->used++;
	m->tries += s->menu->tries + 1;
	m->work += s->menu->work;
	m->bytes += sizeof *s->menu + width + (size_t)s->menu->n * (size_t)m->problem->chunks *
	    (sizeof *s->menu->backward + sizeof *s->menu->mix);
	return s->menu;
}
