/* Columns: the pool of settings and paths that the master problems share. */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

/* The index of a column, found or added. CONTENT[chunks], MIX[chunks] */
static int
add(struct column_pool *pool, int stage, const int *content, const int *mix)
{
	const struct problem *p = pool->problem;
	size_t width = (size_t)p->chunks * sizeof(int);
	struct column c = { .stage = stage };

	for (int i = pool->ncolumns; i-- > 0; ) {
		const struct column *old = &pool->column[i];

		if (old->stage == stage && memcmp(old->content, content, width) == 0 &&
		    memcmp(old->mix, mix, width) == 0)
			return i;
	}
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
	if (pool->ncolumns == pool->column_room) {
		pool->column_room = pool->column_room ? 2 * pool->column_room : 64;
		pool->column = xreallocarray(pool->column, (size_t)pool->column_room, sizeof *pool->column);
	}
	pool->column[pool->ncolumns] = c;
	return pool->ncolumns++;
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

void
column_pool_free(struct column_pool *pool)
{
	path_cuts_free(&pool->paths);
	for (int i = 0; i < pool->ncolumns; i++) {
		free(pool->column[i].content);
		free(pool->column[i].mix);
		free(pool->column[i].backward);
		free(pool->column[i].gradient);
	}
	free(pool->column);
	*pool = (struct column_pool){ 0 };
}
