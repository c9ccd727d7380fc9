#include "shop_pool.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"

void
pool_spend(struct pool *p, double operations)
{
	p->left -= operations;
	if (p->deadline < INFINITY && !clock_left(p->deadline))
		p->left = 0;
}

struct recipe
recipe_new(const struct pool *p)
{
	struct recipe r = { .how = { .waiting = INT_MAX } };

	r.cap = xcalloc((size_t)(p->shop.stages * p->shop.chunks), sizeof *r.cap);
	return r;
}

void
recipe_copy(const struct pool *p, struct recipe *to, const struct recipe *from)
{
	int *cap = to->cap;

	memcpy(cap, from->cap, (size_t)(p->shop.stages * p->shop.chunks) * sizeof *cap);
	*to = *from;
	to->cap = cap;
	if (to->how.cap != NULL)
		to->how.cap = cap;
}

void
order_copy(struct schedule *to, const struct schedule *from)
{
	memcpy(to->op, from->op, schedule_ops(from) * sizeof *to->op);
}

void
consider(struct pool *p, const struct recipe *recipe, bool known)
{
	double *step = p->step;

	pool_spend(p, (double)schedule_ops(&p->trial));
	if (!shop_steps(&p->shop, &p->trial, step))
		return;
	for (int lane = 0; lane < SHOP_LANES; lane++) {
		struct best *b = &p->best[lane];

		if (step[lane] >= b->step * SHORTER)
			continue;
		if (!known && !shop_fits(&p->shop, &p->trial))
			return;
		known = true;
		b->step = step[lane];
		order_copy(&b->order, &p->trial);
		b->listed = recipe != NULL;
		if (recipe != NULL)
			recipe_copy(p, &b->recipe, recipe);
	}
}

void
starts_of(struct pool *p, const struct schedule *s, int lane, double *start)
{
	double step[SHOP_LANES];
	const struct shop *j = &p->shop;

	shop_steps(&p->shop, s, step);
	for (int i = 0; i < j->stages * j->queues; i++)
		for (int m = 0; m < j->micro; m++) {
			size_t at = (size_t)i * (size_t)j->micro + (size_t)m;

			start[at] = j->end[at].at[lane] - j->time[i / 2 * PHASES + (i % 2 ? PHASE_I : PHASE_F)];
		}
}

/* Set the alternative times of operations, and the number of pieces that fit on each stage. */
static void
set_times(struct pool *p)
{
	const struct shop *j = &p->shop;
	int n = j->stages * j->chunks * PHASES;
	double mean[PHASES] = { 0 };

	for (int i = 0; i < n; i++)
		mean[i % PHASES] += j->time[i] * PHASES / n;
	for (int t = ONES; t < TIMES; t++) {
		p->time[t] = xcalloc((size_t)n, sizeof(double));
		for (int i = 0; i < n; i++)
			p->time[t][i] = t == ONES ? 1 : mean[i % PHASES];
	}
	p->most = xcalloc((size_t)j->stages, sizeof *p->most);
	for (int s = 0; s < j->stages; s++) {
		double a = 0;

		for (int v = 0; v < j->chunks; v++)
			a += j->activation[s * j->chunks + v] / j->chunks;
		p->most[s] = a > 0 ? fmin(j->limit[s] / a, j->chunks * j->micro) : j->chunks * j->micro;
	}
}

struct pool
pool_new(const struct schedule *s, const struct load *load, const struct room *room, double operations,
    double deadline)
{
	struct pool p = { .shop = shop_new(s, load, room), .left = operations, .deadline = deadline,
	    .random = 88172645463325252u };

	p.trial = shop_order(&p.shop, s);
	p.key = xcalloc((size_t)(p.shop.stages * p.shop.queues) * (size_t)s->micro, sizeof *p.key);
	for (int lane = 0; lane < SHOP_LANES; lane++)
		p.best[lane] = (struct best){ shop_order(&p.shop, s), INFINITY, recipe_new(&p), false };
	set_times(&p);
	return p;
}

void
pool_free(struct pool *p)
{
	shop_lister_free(p->lister);
	for (int lane = 0; lane < SHOP_LANES; lane++) {
		schedule_free(&p->best[lane].order);
		free(p->best[lane].recipe.cap);
	}
	for (int t = 0; t < TIMES; t++)
		free(p->time[t]);
	free(p->block.at);
	free(p->most);
	free(p->key);
	schedule_free(&p->trial);
	shop_free(&p->shop);
}
