/*
 * Build list schedules by many rules. Then build lists whose keys are the times of a good order, some of them
 * disturbed.
 */
#include "shop_orders.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/random.h"
#include "lib/schedule/scheme.h"
#include "lib/simulate/simulation.h"
#include "shop_moves.h"
#include "shop_pool.h"
#include "shop_reorder.h"

enum { BLOCKS = 400, BLOCKS_LISTED = 12, RUNS = 4 };

/* Fraction of the work for a rung and all rungs above it. Most transfers are short relative to operations. */
static const double part_below[RUNGS] = { 1, 0.6, 0.35, 0.18 };
/* Maximum fraction of the work that blocks take. */
static const double BY_BLOCKS = 0.25;
/* Fractions of a rung's work: for lists by rules; for lists by rules and of disturbed times. Moves take the rest. */
static const double BY_RULES = 0.4, DISTURBED = 0.6;
/* How many times faster a move evaluates an operation than a layout does; the cost of a reordering, in layouts. */
static const double MOVES = 10, REORDERED = 4;
/* Minimum numbers of moves: for the first start, for a restart. */
static const double FEW = 200, MANY = 8000;

static double
random_part(struct pool *p)
{
	return (double)xorshift_below(&p->random, 1 << 20) / (1 << 20);
}

static void
list(struct pool *p, struct recipe *r)
{
	r->how.time = p->time[r->times];
	pool_spend(p, (double)schedule_ops(&p->trial));
	if (shop_list(p->lister, &r->how, &p->trial))
		consider(p, r, false);
}

static void
set_caps(struct pool *p, struct recipe *r, int chunk)
{
	int v = p->shop.chunks, last = p->shop.stages - 1;
	double most = p->most[0], from = 1 + random_part(p) * most, to = 1 + random_part(p) * most;

	if (xorshift_below(&p->random, 3) == 0)
		from = to;
	for (int s = 0; s <= last; s++)
		r->cap[s * v + chunk] = (int)(from + (to - from) * s / (last > 0 ? last : 1));
}

static void
set_part(struct pool *p, struct recipe *r, int part)
{
	static const double parts[] = { 0, 0, 0.25, 0.5, 0.75, 1, 1 };
	int v = p->shop.chunks;

	switch (part) {
	case 0:
	case 1:
	case 2:
		r->how.rank[part] = (uint8_t)xorshift_below(&p->random, RANKS);
		break;
	case 3:
		r->how.fit[PHASE_F] = xorshift_below(&p->random, 2) == 0 ? 0 : parts[xorshift_below(&p->random, 7)];
		break;
	case 4:
		r->how.fit[PHASE_B] = xorshift_below(&p->random, 2) == 0 ? 0 : parts[xorshift_below(&p->random, 7)];
		break;
	case 5:
		r->how.fit[PHASE_W] = parts[xorshift_below(&p->random, 7)];
		break;
	case 6:
		r->how.waiting = xorshift_below(&p->random, 2) == 0 ? INT_MAX
		    : xorshift_below(&p->random, (int)p->most[0] + 1);
		break;
	case 7:
		r->how.turns = xorshift_below(&p->random, 2) == 0;
		r->how.filled = xorshift_below(&p->random, p->shop.stages + 1);
		break;
	case 8:
		r->times = (enum times)xorshift_below(&p->random, TIMES);
		break;
	case 9:
		if (r->how.cap == NULL)
			for (int i = 0; i < p->shop.stages * v; i++)
				r->cap[i] = INT_MAX;
		r->how.cap = r->cap;
		set_caps(p, r, 0);
		break;
	case 10:
		if (v > 1 && r->how.cap != NULL)
			set_caps(p, r, 1 + (v > 2 ? xorshift_below(&p->random, v - 1) : 0));
		break;
	case 11:
		r->how.cap = NULL;
		break;
	default:
		if (r->how.cap != NULL) {
			int *cap = &r->cap[xorshift_below(&p->random, p->shop.stages * v)];

			if (*cap < INT_MAX)
				*cap += xorshift_below(&p->random, 2) == 0 ? -1 : 1;
		}
	}
}
enum { PARTS = 14 };

/*
 * Build lists with the same priorities in all phases, for several fractions of a W that must fit. Most good orders are
 * among them.
 */
static void
list_plain(struct pool *p, struct recipe *r, int lane, double until)
{
	static const uint8_t straight[] = { 0, FORWARDS_FIRST };
	bool one = p->shop.chunks == 1;

	for (int k = 0; k < (one ? 2 : RANKS); k++)
		for (int fit = 0; fit <= 2; fit++) {
			if (k + fit > 0 && p->left <= until)
				return;
			*r = (struct recipe){ .cap = r->cap,
			    .how = { .waiting = INT_MAX, .lane = lane, .fit[PHASE_W] = fit / 2. } };
			for (int phase = 0; phase < LIST_PHASES; phase++)
				r->how.rank[phase] = one ? straight[k] : (uint8_t)k;
			list(p, r);
		}
}

static void
list_mutants(struct pool *p, struct recipe *r, int lane, double until)
{
	for (int n = 0; p->left > until; n++) {
		int changes;

		if (n % 5 == 4 || !p->best[lane].listed) {
			for (int part = 0; part < 11; part++)
				set_part(p, r, part);
			if (xorshift_below(&p->random, 3) == 0)
				r->how.cap = NULL;
		} else {
			recipe_copy(p, r, &p->best[lane].recipe);
			changes = 1 + xorshift_below(&p->random, 3);
			while (changes-- > 0)
				set_part(p, r, xorshift_below(&p->random, PARTS));
		}
		r->how.lane = r->times == ONES ? 0 : lane;
		r->how.key = NULL;
		list(p, r);
	}
}

/* Add random amounts to the times of some operations in a window of time and stages. */
static void
disturb(struct pool *p, double step)
{
	double middle = random_part(p) * step;
	double width = step * (xorshift_below(&p->random, 4) == 0 ? 1 : 0.02 + 0.2 * random_part(p));
	double part = xorshift_below(&p->random, 3) == 0 ? 1 : 0.03 + 0.4 * random_part(p);
	double by = p->shop.time[0] * 3 * (0.1 + 2 * random_part(p));
	int first = xorshift_below(&p->random, p->shop.stages), last = xorshift_below(&p->random, p->shop.stages);
	size_t slots = (size_t)p->shop.queues * (size_t)p->shop.micro;
	size_t from = (size_t)(first < last ? first : last) * slots;
	size_t to = (size_t)((first < last ? last : first) + 1) * slots;

	for (size_t i = from; i < to; i++)
		if (fabs(p->key[i] - middle) < width && random_part(p) < part)
			p->key[i] += by * (2 * random_part(p) - 1);
}

/* Build lists whose keys are the times of the best order, some of them disturbed. */
static void
list_disturbed(struct pool *p, struct recipe *r, int lane, double until)
{
	static const double fits[] = { 0, 0, 0.5, 1 };
	size_t slots = (size_t)(p->shop.stages * p->shop.queues) * (size_t)p->shop.micro;
	double *start = xcalloc(slots, sizeof *start), known = INFINITY;

	while (p->left > until) {
		double step = p->best[lane].step;

		if (step < known) {
			starts_of(p, &p->best[lane].order, lane, start);
			known = step;
		}
		memcpy(p->key, start, slots * sizeof *p->key);
		disturb(p, step);
		*r = (struct recipe){ .cap = r->cap, .how = { .waiting = INT_MAX, .lane = lane, .key = p->key } };
		r->how.fit[PHASE_F] = fits[xorshift_below(&p->random, 4)];
		r->how.fit[PHASE_B] = fits[xorshift_below(&p->random, 4)];
		r->how.fit[PHASE_W] = fits[xorshift_below(&p->random, 4)];
		r->how.time = p->time[REAL];
		pool_spend(p, (double)schedule_ops(&p->trial));
		if (!shop_list(p->lister, &r->how, &p->trial))
			continue;
		consider(p, NULL, false);
		/* Continue from an order of equal length, since it may lead to a shorter one. */
		if (p->step[lane] <= step * (1 + 1e-9)) {
			memcpy(start, shop_list_starts(p->lister), slots * sizeof *p->key);
			known = p->best[lane].step;
		}
	}
	free(start);
}

/* Shorten the best order by moves. Restart while work is left. */
static void
move(struct pool *p, int lane, double operations)
{
	double moves = MOVES * operations / (double)schedule_ops(&p->trial);
	int runs = moves < MANY ? moves > FEW : moves < RUNS * MANY ? (int)(moves / MANY) : RUNS;

	for (int n = 0; n < runs && p->left > 0; n++) {
		order_copy(&p->trial, &p->best[lane].order);
		shop_move(&p->shop, &p->trial, lane, MOVES * operations / runs, (uint64_t)n + 1);
		consider(p, NULL, true);
	}
	pool_spend(p, operations);
}

/* Build lists whose keys are the times of an order, with each W directly after its B or in gaps. */
static void
list_like(struct pool *p, struct recipe *r, int lane, const struct schedule *s, double until)
{
	starts_of(p, s, lane, p->key);
	for (int n = 0; n < 9 && p->left > until; n++) {
		static const int waiting[] = { 0, 1, INT_MAX };

		if (p->shop.whole && n % 3 > 0)
			continue;
		*r = (struct recipe){ .cap = r->cap,
		    .how = { .waiting = waiting[n % 3], .lane = lane, .key = p->key } };
		for (int phase = 0; phase < PHASES; phase++)
			r->how.fit[phase] = n / 3 / 2.;
		pool_spend(p, (double)schedule_ops(&p->trial));
		if (shop_list(p->lister, &r->how, &p->trial))
			consider(p, NULL, false);
	}
}

/* Build lists that resemble the published orders for the shop's placement, and stay within the memory limits. */
static void
list_published(struct pool *p, struct recipe *r, int lane, double until)
{
	size_t pieces = (size_t)(p->shop.stages * p->shop.chunks) * sizeof(int);

	for (int kind = 0; kind < SCHEDULE_KINDS; kind++) {
		struct shape q = { .kind = (enum schedule_kind)kind, .stages = p->shop.stages, .chunks = p->shop.chunks,
		    .micro = p->shop.micro };
		struct schedule s;

		if (!schedule_begins(&q))
			continue;
		s = schedule_new(&q);
		if (memcmp(s.after, p->trial.after, pieces) == 0)
			list_like(p, r, lane, &s, until);
		schedule_free(&s);
	}
}

/*
 * Evaluate the trial order, which belongs to a block. Store the block's step at each rung; MORE: the minimum with the
 * steps stored before.
 */
static void
consider_block(struct pool *p, struct vblock *b, bool more)
{
	consider(p, NULL, false);
	for (int lane = 0; lane < RUNGS; lane++)
		b->time[lane] = more ? fmin(b->time[lane], p->step[lane]) : p->step[lane];
}

/* Evaluate the orders of blocks, as laid out and after reordering. */
static void
lay_blocks(struct pool *p, double until)
{
	struct shop_reorder *reorder = shop_reorder_new(&p->shop);
	double pieces = p->most[0];

	for (int s = 1; s < p->shop.stages; s++)
		pieces = fmin(pieces, p->most[s]);
	p->block = shop_blocks(&p->shop, BLOCKS);
	for (int i = 0; i < p->block.n; i++) {
		if (i > 0 && p->left <= until) {
			p->block.n = i;
			break;
		}
		shop_block_lay(&p->shop, &p->block.at[i], p->key, &p->trial);
		consider_block(p, &p->block.at[i], false);
		if (p->shop.unlike)	/* a rebuilt fill or drain holds many different mixes of chunks */
			continue;
		pool_spend(p, REORDERED * (double)schedule_ops(&p->trial));
		if (shop_reorder(reorder, &p->trial, (int)pieces))
			consider_block(p, &p->block.at[i], true);
	}
	shop_reorder_free(reorder);
}

/* Build lists whose keys are the slots of the best blocks. */
static void
list_blocks(struct pool *p, struct recipe *r, int lane, double until)
{
	static const double fits[][PHASES] = {
		{ 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 0.5 }, { 1, 1, 1 }, { 0.5, 0.5, 0.5 }, { 1, 1, 0 }
	};

	for (int i = 0; i < p->block.n && i < BLOCKS_LISTED && p->left > until; i++) {
		struct vblock *best = &p->block.at[i], b;

		for (int n = i; n < p->block.n; n++)
			if (p->block.at[n].time[lane] < best->time[lane])
				best = &p->block.at[n];
		b = *best;
		*best = p->block.at[i];
		p->block.at[i] = b;
		shop_block_lay(&p->shop, &b, p->key, &p->trial);
		for (size_t k = 0; k < sizeof fits / sizeof fits[0]; k++) {
			*r = (struct recipe){ .cap = r->cap,
			    .how = { .waiting = INT_MAX, .lane = lane, .key = p->key } };
			memcpy(r->how.fit, fits[k], sizeof fits[k]);
			pool_spend(p, (double)schedule_ops(&p->trial));
			if (shop_list(p->lister, &r->how, &p->trial))
				consider(p, NULL, false);
		}
	}
}

/* Return whether a simulation would give other steps than the lanes do. */
static bool
otherwise(const struct load *l)
{
	return l->transfers != TRANSFERS_HIDDEN || l->post > 0 || l->send[0].n > 0 || l->send[1].n > 0 ||
	    l->factor[0].at != NULL || l->factor[1].at != NULL;
}

/*
 * Set S to the shortest, in simulation, of the best orders of each rung, and of S itself if GIVEN. The best order at
 * the real times is left out, since it may become another one when a transfer gets slower.
 */
static void
take_simulated(struct pool *p, struct schedule *s, bool given)
{
	double shortest = given ? simulation_step(s, p->shop.load) : INFINITY;
	int best = RUNGS;

	for (int lane = 0; lane < RUNGS; lane++) {
		double step = p->best[lane].step < INFINITY
		    ? simulation_step(&p->best[lane].order, p->shop.load) : INFINITY;

		if (step < shortest * SHORTER) {
			shortest = step;
			best = lane;
		}
	}
	if (best < RUNGS) {
		schedule_free(s);
		*s = schedule_copy(&p->best[best].order);
	}
}

void
shop_orders(struct schedule *s, const struct load *load, const struct room *room, double operations,
    double deadline)
{
	struct pool p = pool_new(s, load, room, operations, deadline);
	struct recipe r = recipe_new(&p);
	bool given = room_enough(room, s, load), in_turn = shop_in_turn(&p.shop, s);
	bool known = in_turn && schedule_ops(s) == schedule_ops(&p.trial);

	p.lister = shop_lister_new(&p.shop);	/* it keeps a pointer to the pool's shop */
	if (known) {
		order_copy(&p.trial, s);
		consider(&p, NULL, given);
	}
	if (p.shop.v)
		lay_blocks(&p, (1 - BY_BLOCKS) * operations);
	for (int lane = RUNGS - 1; lane >= 0; lane--) {
		double end = operations * (1 - part_below[lane]), all;

		list_plain(&p, &r, lane, end);
		if (in_turn && !schedule_scheme(s->shape.kind)->timed)
			list_like(&p, &r, lane, s, end);
		list_published(&p, &r, lane, end);
		list_blocks(&p, &r, lane, end);
		all = fmax(p.left - end, 0);
		list_mutants(&p, &r, lane, end + (1 - BY_RULES) * all);
		if (p.best[lane].step == INFINITY)
			continue;
		list_disturbed(&p, &r, lane, end + (1 - DISTURBED) * all);
		move(&p, lane, fmax(p.left - end, 0));
	}
	if (!known || otherwise(load))
		take_simulated(&p, s, given);
	else if (p.best[RUNGS].step < INFINITY)
		order_copy(s, &p.best[RUNGS].order);
	free(r.cap);
	pool_free(&p);
}
