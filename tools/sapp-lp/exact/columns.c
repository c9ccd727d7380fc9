/* Columns: a pool without duplicates, which hashes find. */
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

/* Return the index of the column with CONTENT[chunks] and MIX[chunks], adding it if it is new. */
static int
add(struct column_pool *pool, int stage, const int *content, const int *mix)
{
	const struct problem *p = pool->problem;
	size_t width = (size_t)p->chunks * sizeof(int), tries = 0;
	uint64_t key = hash(p, stage, content, mix);
	struct column c = { .stage = stage };

	for (int i; (i = index_next(&pool->index, key, &tries)) >= 0;) {
		const struct column *known = &pool->column[i];

		if (known->stage == stage && memcmp(known->content, content, width) == 0 &&
		    memcmp(known->mix, mix, width) == 0)
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
	index_add(&pool->index, key, pool->ncolumns);
	*APPEND(pool->column, pool->ncolumns) = c;
	return pool->ncolumns - 1;
}

int
column_pool_add(struct column_pool *pool, const struct candidate *from, int stage)
{
	const struct problem *p = pool->problem;
	int content[p->chunks], mix[p->chunks];

	candidate_stage(p, from, stage, content, mix);
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
	index_free(&pool->index);
	for (int i = 0; i < kept; i++) {
		const struct column *c = &pool->column[i];

		index_add(&pool->index, hash(pool->problem, c->stage, c->content, c->mix), i);
	}
}

void
column_pool_free(struct column_pool *pool)
{
	path_cuts_free(&pool->paths);
	for (int i = 0; i < pool->ncolumns; i++)
		column_free(&pool->column[i]);
	free(pool->column);
	index_free(&pool->index);
	*pool = (struct column_pool){ 0 };
}
