/* Columns: the pool of settings and paths that the master problems share. */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"

static uint64_t
hash(const struct problem *p, int stage, const int *content, const int *mix)
{
	uint64_t h = hash_begin((uint64_t)stage);

	for (int k = 0; k < p->chunks; k++)
		h = hash_add(hash_add(h, (uint64_t)content[k]), (uint64_t)mix[k]);
	return hash_end(h);
}

/* Where a column is in the table, or would be: the first place free. */
static int *
place_of(struct column_pool *pool, int stage, const int *content, const int *mix)
{
	size_t width = (size_t)pool->problem->chunks * sizeof(int);
	size_t at = hash(pool->problem, stage, content, mix) & (pool->places - 1);

	for (; pool->index[at] != 0; at = (at + 1) & (pool->places - 1)) {
		const struct column *c = &pool->column[pool->index[at] - 1];

		if (c->stage == stage && memcmp(c->content, content, width) == 0 && memcmp(c->mix, mix, width) == 0)
			break;
	}
	return &pool->index[at];
}

/* A table for so many columns as there is room for, and half as many free places at least. */
static void
make_index(struct column_pool *pool)
{
	free(pool->index);
	for (pool->places = 128; pool->places < 2 * (size_t)pool->column_room; pool->places *= 2)
		continue;
	pool->index = xcalloc(pool->places, sizeof *pool->index);
	for (int i = 0; i < pool->ncolumns; i++) {
		const struct column *c = &pool->column[i];

		*place_of(pool, c->stage, c->content, c->mix) = 1 + i;
	}
}

/* The index of a column, found or added. CONTENT[chunks], MIX[chunks] */
static int
add(struct column_pool *pool, int stage, const int *content, const int *mix)
{
	const struct problem *p = pool->problem;
	size_t width = (size_t)p->chunks * sizeof(int);
	struct column c = { .stage = stage };
	int *place;

	if (pool->ncolumns == pool->column_room) {
		pool->column_room = pool->column_room ? 2 * pool->column_room : 64;
		pool->column = xreallocarray(pool->column, (size_t)pool->column_room, sizeof *pool->column);
		make_index(pool);
	}
	place = place_of(pool, stage, content, mix);
	if (*place != 0)
		return *place - 1;
	c.content = xcalloc(1, width);
	c.mix = xcalloc(1, width);
	c.backward = xcalloc((size_t)p->chunks, sizeof *c.backward);
	c.gradient = xcalloc((size_t)p->chunks, sizeof *c.gradient);
	memcpy(c.content, content, width);
	memcpy(c.mix, mix, width);
	for (int k = 0; k < p->chunks; k++) {
		c.backward[k] = problem_mix(p, content[k], mix[k])->backward;
		c.gradient[k] = problem_mix(p, content[k], mix[k])->gradient;
	}
	pool->column[pool->ncolumns] = c;
	*place = ++pool->ncolumns;
	return pool->ncolumns - 1;
}

int
column_pool_add(struct column_pool *pool, const struct candidate *from, int stage)
{
	const struct problem *p = pool->problem;
	int content[p->chunks], mix[p->chunks];

	for (int k = 0; k < p->chunks; k++) {
		content[k] = from->content[k * p->stages + stage];
		mix[k] = from->mix[k * p->stages + stage];
	}
	return add(pool, stage, content, mix);
}

int
column_pool_copy(struct column_pool *pool, const struct column *c)
{
	return add(pool, c->stage, c->content, c->mix);
}

struct column_pool
column_pool_new(const struct problem *p, const struct path_cuts *paths)
{
	return (struct column_pool){ .problem = p, .paths = path_cuts_copy(p, paths) };
}

static void
column_free(struct column *c)
{
	free(c->content);
	free(c->mix);
	free(c->backward);
	free(c->gradient);
}

void
column_pool_keep(struct column_pool *pool, int *path, int *column)
{
	int kept = 0;

	path_cuts_keep(&pool->paths, path);
	for (int i = 0; i < pool->ncolumns; i++) {
		if (column[i] == 0) {
			column_free(&pool->column[i]);
			continue;
		}
		pool->column[kept] = pool->column[i];
		column[i] = kept++;
	}
	pool->ncolumns = kept;
	if (pool->column_room > 0)
		make_index(pool);
}

void
column_pool_free(struct column_pool *pool)
{
	path_cuts_free(&pool->paths);
	for (int i = 0; i < pool->ncolumns; i++)
		column_free(&pool->column[i]);
	free(pool->column);
	free(pool->index);
	*pool = (struct column_pool){ 0 };
}
