#include "table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

struct list
list_new(int n)
{
	return (struct list){ n, xcalloc((size_t)n, sizeof(double)) };
}

struct list
list_copy(struct list from)
{
	struct list l = list_new(from.n);

	if (from.n > 0)
		memcpy(l.at, from.at, (size_t)from.n * sizeof *l.at);
	return l;
}

struct table
table_new(int chunks, int stages)
{
	return (struct table){ chunks, stages, xcalloc((size_t)chunks * (size_t)stages, sizeof(double)) };
}

struct table
table_copy(struct table from)
{
	struct table t = table_new(from.chunks, from.stages);

	memcpy(t.at, from.at, (size_t)from.chunks * (size_t)from.stages * sizeof *t.at);
	return t;
}

struct grid
grid_new(int chunks, int stages)
{
	return (struct grid){ chunks, stages, xcalloc((size_t)chunks * (size_t)stages, sizeof(int)) };
}

struct grid
grid_copy(struct grid from)
{
	struct grid g = grid_new(from.chunks, from.stages);

	memcpy(g.at, from.at, (size_t)from.chunks * (size_t)from.stages * sizeof *g.at);
	return g;
}

double
list_get(struct list l, int stage)
{
	assert(l.n == 1 || (stage >= 0 && stage < l.n));
	return l.n == 1 ? l.at[0] : l.at[stage];
}

bool
list_any(struct list l)
{
	for (int i = 0; i < l.n; i++)
		if (l.at[i] > 0)
			return true;
	return false;
}

bool
table_any(struct table t)
{
	return list_any((struct list){ t.chunks * t.stages, t.at });
}

double
table_get(struct table t, int chunk, int stage)
{
	if (t.chunks == 1 && t.stages == 1)
		return t.at[0];
	assert(chunk >= 0 && chunk < t.chunks && stage >= 0 && stage < t.stages);
	return t.at[(size_t)chunk * (size_t)t.stages + (size_t)stage];
}

int *
grid_at(struct grid g, int chunk, int stage)
{
	assert(chunk >= 0 && chunk < g.chunks && stage >= 0 && stage < g.stages);
	return &g.at[(size_t)chunk * (size_t)g.stages + (size_t)stage];
}

int
grid_sum(struct grid g)
{
	int sum = 0;

	for (int i = 0; i < g.chunks * g.stages; i++)
		sum += g.at[i];
	return sum;
}

void
amounts_add(struct amounts *a, const char *name, double amount)
{
	int i = 0;

	while (i < a->n && strcmp(a->name[i], name) != 0)
		i++;
	if (i == a->n) {
		a->name = xreallocarray(a->name, (size_t)a->n + 1, sizeof *a->name);
		a->at = xreallocarray(a->at, (size_t)a->n + 1, sizeof *a->at);
		a->name[a->n] = xstrdup(name);
		a->at[a->n++] = 0;
	}
	a->at[i] += amount;
}

void
texts_add(struct texts *t, const char *text)
{
	*APPEND(t->at, t->n) = xstrdup(text);
}

void
texts_free(struct texts *t)
{
	for (int i = 0; i < t->n; i++)
		free(t->at[i]);
	free(t->at);
	*t = (struct texts){ 0 };
}

void
amounts_free(struct amounts *a)
{
	for (int i = 0; i < a->n; i++)
		free(a->name[i]);
	free(a->name);
	free(a->at);
	*a = (struct amounts){ 0 };
}
