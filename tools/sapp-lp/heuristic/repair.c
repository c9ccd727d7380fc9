/* Repair: a random walk over placements of layers towards a target that is lowered by and by. */
#include "repair.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/model/stage_settings.h"

enum {
	MOVES = 400000,			/* at most */
	STALE = 1000,			/* moves without success, times pieces, after which another target is tried */
	UNTIMED = 2000000,		/* moves times pieces before the first look at the clock */
	COARSE = 16,			/* layers of a piece from which on several are moved together */
};
static const double FAR = 0.02, NEAR = 1e-3;	/* by which part the target is below the least excess: from FAR down to NEAR */

/* A walk from plan to plan, towards one in which no stage exceeds its limit by more than the target. */
struct walk {
	const struct problem *p;
	int *layers;			/* [pieces] */
	struct candidate now, next;
	double *over, *next_over;	/* [stages] of NOW and NEXT, MB by which each exceeds its limit */
	double target;			/* MB */
	double sum;	/* MB by which all stages of NOW together exceed the target: the walk never raises it */
	uint64_t random;
};

static double
over_limit(const struct problem *p, const struct candidate *c, int stage)
{
	int content[p->chunks];

	for (int v = 0; v < p->chunks; v++)
		content[v] = c->content[v * p->stages + stage];
	return stage_least_memory(p, stage, content) - p->limit[stage];
}

static double
worst(const struct problem *p, const double *over, int *stage)
{
	*stage = 0;
	for (int s = 1; s < p->stages; s++)
		if (over[s] > over[*stage])
			*stage = s;
	return over[*stage];
}

double
overload(const struct problem *p, const struct candidate *c, int *stage)
{
	double over[p->stages];

	for (int s = 0; s < p->stages; s++)
		over[s] = over_limit(p, c, s);
	return worst(p, over, stage);
}

static double
above_target(const struct walk *w, const double *over)
{
	double sum = 0;

	for (int s = 0; s < w->p->stages; s++)
		sum += fmax(over[s] - w->target, 0);
	return sum;
}

static struct walk
walk_new(const struct problem *p, const struct candidate *from)
{
	struct walk w = { .p = p, .layers = xcalloc((size_t)p->pieces, sizeof *w.layers), .now = candidate_new(p),
		.next = candidate_new(p), .random = 0x9e3779b97f4a7c15u };
	int sum = 0;

	w.over = xcalloc((size_t)p->stages, sizeof *w.over);
	w.next_over = xcalloc((size_t)p->stages, sizeof *w.next_over);
	for (int i = 0; i < p->pieces; i++)
		sum += w.layers[i] = p->contents.content[from->content[i]].layers;
	for (int i = 0; sum != p->net->layers; i++, sum++)
		w.layers[i % p->pieces]++;
	return w;
}

static void
walk_free(struct walk *w)
{
	free(w->layers);
	candidate_free(&w->now);
	candidate_free(&w->next);
	free(w->over);
	free(w->next_over);
}

static uint64_t
draw(struct walk *w)
{
	w->random ^= w->random << 13;		/* xorshift64, Marsaglia 2003 */
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return w->random >> 11;
}

static int
draw_piece(struct walk *w)
{
	return (int)(draw(w) % (uint64_t)w->p->pieces);
}

/*
 * NEXT from the layers, and by how much its stages exceed their limits; false: it cannot be. Most stages are as in
 * NOW.
 */
static bool
look(struct walk *w)
{
	const struct problem *p = w->p;

	if (!candidate_lay_out(p, w->layers, &w->next))
		return false;
	for (int s = 0; s < p->stages; s++) {
		bool same = true;

		for (int i = s; i < p->pieces && same; i += p->stages)
			same = w->next.content[i] == w->now.content[i];
		w->next_over[s] = same ? w->over[s] : over_limit(p, &w->next, s);
	}
	return true;
}

/*
 * Try to move some layers from a random piece, every other time one of STAGE (which exceeds most), to another; undone
 * where it leads away from the target.
 */
static void
move(struct walk *w, int stage)
{
	const struct problem *p = w->p;
	int from = draw_piece(w), to = draw_piece(w), some;
	double sum;

	if (draw(w) % 2 == 0)
		from = from / p->stages * p->stages + stage;
	if (from == to || w->layers[from] < 2)
		return;
	some = w->layers[from] < COARSE ? 1 : 1 + (int)(draw(w) % (uint64_t)(w->layers[from] / COARSE * 2));
	w->layers[from] -= some;
	w->layers[to] += some;
	if (look(w) && (sum = above_target(w, w->next_over)) <= w->sum) {
		w->sum = sum;
		memcpy(w->over, w->next_over, (size_t)p->stages * sizeof *w->over);
		candidate_copy(p, &w->now, &w->next);
		return;
	}
	w->layers[from] += some;
	w->layers[to] -= some;
}

double
repair(const struct problem *p, double deadline, struct candidate *c, int *stage)
{
	struct walk w = walk_new(p, c);
	double least, far = FAR;

	if (!candidate_lay_out(p, w.layers, &w.now)) {
		walk_free(&w);
		return INFINITY;
	}
	candidate_copy(p, c, &w.now);
	for (int s = 0; s < p->stages; s++)
		w.over[s] = over_limit(p, c, s);
	least = worst(p, w.over, stage);
	for (long i = 0, since = 0; i < MOVES && least > MEMORY_SLACK; i++, since++) {
		int at;
		double now = worst(p, w.over, &at);

		/* Not before a fixed amount of work, so that small problems have the same answer on any machine. */
		if (i * p->pieces > UNTIMED && !clock_left(deadline))
			break;
		if (i == 0 || now < least || since > STALE * p->pieces) {
			far = now < least ? far : far > NEAR ? far / 2 : FAR;
			if (now < least) {
				least = now;
				*stage = at;
				candidate_copy(p, c, &w.now);
			}
			since = 0;
			w.target = fmax(least * (1 - far), 0);
			w.sum = above_target(&w, w.over);
		}
		move(&w, at);
	}
	walk_free(&w);
	return least;
}
