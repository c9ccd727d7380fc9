/* Certify: a tree, depth first. */
#include "certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/option.h"
#include "game.h"

enum { ROUNDS = 20 };			/* of bounds at a node */
static const double WORK = 2e10;	/* in all: entries of programmes and operations gone through */

struct tree {
	FILE *out;
	struct runs_left runs;
	struct game game;
	int depth, room;
	unsigned char **node;	/* [depth], what is left at each that is open; the last one is gone on with */
	double work, deadline;
};

static bool
several_models(const struct records *all)
{
	const char *name = NULL;
	int models = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct record *r = &all->at[i];

		models += r->kind == RECORD_MODEL;
		if (r->kind != RECORD_LAYER || !GIVEN(layer, &r->layer, model_name))
			continue;
		models += name != NULL && strcmp(name, r->layer.model_name) != 0 ? 2 : 0;
		name = r->layer.model_name;
	}
	return models > 1;
}

static const char *
problem(const struct options *a, const struct pipeline *q, const struct network *net)
{
	enum schedule_kind kind = (enum schedule_kind)q->schedule;

	if (q->interleave != 1)
		return "stages have several chunks";
	if (kind != SCHEDULE_1F1B && kind != SCHEDULE_GPIPE && kind != SCHEDULE_VPP && kind != SCHEDULE_VPP_LESS)
		return "its schedule has no order that is the same whatever the times";
	if (GIVEN(pipeline, q, seq_split) && q->seq_split > 1)
		return "sequences are split";
	if (GIVEN(pipeline, q, mixes) && q->mixes == MIXES_UNIFORM)
		return "all pieces are recomputed alike";
	if (q->transfers != TRANSFERS_HIDDEN)
		return "transfers keep stages busy";
	if (net->link > 0)
		return "activations are offloaded";
	if (a->target != TARGET_ANY)
		return "it is for one framework's plans alone";
	return several_models(a->input) ? "the input has several models" : NULL;
}

void
certify_check(const struct options *a, const struct pipeline *q, const struct network *net)
{
	const char *why = problem(a, q, net);

	if (why != NULL)
		option_usage("-proof: no certificate can be written for this question: %s", why);
}

static void
push(struct tree *t)
{
	if (t->depth == t->room) {
		t->room = t->room > 0 ? 2 * t->room : 16;
		t->node = xreallocarray(t->node, (size_t)t->room, sizeof *t->node);
	}
	t->node[t->depth++] = xcalloc(t->runs.runs, sizeof **t->node);
}

static void
pop(struct tree *t)
{
	free(t->node[--t->depth]);
}

static void
write_list(FILE *out, const char *name, int n, const int *at)
{
	fprintf(out, ",\"%s\":[", name);
	for (int i = 0; i < n; i++)
		fprintf(out, i > 0 ? ",%d" : "%d", at[i]);
	fputc(']', out);
}

static void
write_bound(const struct tree *t)
{
	const struct mean *m = &t->game.best;

	fprintf(t->out, "{\"kind\":\"bound\",\"node\":%d", t->depth);
	write_list(t->out, "paths", m->n, m->path);
	write_list(t->out, "weights", m->n, m->weight);
	fputs("}\n", t->out);
}

/* The paths of stages, one by one: each keeps its stage from holding too much. How many they drop, SIZE_MAX: all. */
static size_t
bound_stages(struct tree *t)
{
	size_t all = 0;

	for (int i = 0; i < t->game.first; i++) {
		double ms;
		size_t dropped = runs_left_drop(&t->runs, &t->game.path[i].worth, &ms);

		if (dropped > 0)
			fprintf(t->out, "{\"kind\":\"bound\",\"node\":%d,\"paths\":%d,\"weights\":1}\n", t->depth, i);
		if (dropped == SIZE_MAX)
			return SIZE_MAX;
		all += dropped;
		t->work += (double)t->runs.runs;
	}
	return all;
}

/* Bounds, as long as they drop something; true: nothing is left. */
static bool
bound(struct tree *t)
{
	size_t dropped = 1;

	t->runs.alive = t->node[t->depth - 1];
	for (int i = 0; i < ROUNDS && dropped > 0; i++) {
		double ms;

		if (!runs_left_any(&t->runs) || bound_stages(t) == SIZE_MAX)
			return true;
		if (!game_solve(&t->game, &t->runs, &t->work, t->deadline))
			return false;
		t->work += (double)t->runs.runs;
		dropped = runs_left_drop(&t->runs, &t->game.best.worth, &ms);
		/* The first says what is proved of the node, if it is left open. */
		if (dropped > 0 || i == 0)
			write_bound(t);
		if (dropped == SIZE_MAX)
			return true;
	}
	return false;
}

/* Least and most layers that a stage holds, or that are before it, in what is left. */
static void
extent(const struct tree *t, int stage, bool first, int *low, int *high)
{
	*low = t->runs.p->net->layers + 1;
	*high = -1;
	for (int i = 0; i <= t->runs.p->net->layers; i++)
		for (int n = 0; n < t->runs.width; n++)
			if (t->runs.alive[runs_left_at(&t->runs, stage, i, n)]) {
				int x = first ? i : n;

				*low = x < *low ? x : *low;
				*high = x > *high ? x : *high;
			}
}

/* Where to divide: the stage whose layers differ most in the game's solution, else the one with most ways to begin. */
static bool
choose(const struct tree *t, int *stage, bool *first, int *most)
{
	const struct problem *p = t->runs.p;
	double worst = 1e-6;
	int low, high, widest = 0;

	*stage = -1;
	*first = false;
	for (int s = 0; s < p->stages; s++)
		if (t->game.spread[s] > worst) {
			extent(t, s, false, &low, &high);
			if (low == high)
				continue;
			worst = t->game.spread[s];
			*stage = s;
			*most = (int)floor(t->game.mean[s]);
			*most = *most < low ? low : *most >= high ? high - 1 : *most;
		}
	for (int s = 0; s < 2 * p->stages && *stage < 0; s++) {
		extent(t, s % p->stages, s < p->stages, &low, &high);
		if (high - low <= widest)
			continue;
		widest = high - low;
		*first = s < p->stages;
		*most = (low + high) / 2;
		*stage = s % p->stages;
	}
	return *stage >= 0;
}

/* The last node becomes two; the half with at most so many is gone on with first. */
static bool
divide(struct tree *t)
{
	const struct problem *p = t->runs.p;
	int stage, most = 0;
	bool first;

	if (!choose(t, &stage, &first, &most))
		return false;
	fprintf(t->out, "{\"kind\":\"branch\",\"node\":%d,\"stage\":%d,\"%s\":%d}\n", t->depth, stage,
	    first ? "first" : "layers", most);
	push(t);
	memcpy(t->node[t->depth - 1], t->node[t->depth - 2], t->runs.runs);
	for (int i = 0; i <= p->net->layers; i++)
		for (int n = 0; n < t->runs.width; n++)
			t->node[t->depth - ((first ? i : n) > most ? 1 : 2)][runs_left_at(&t->runs, stage, i, n)] = 0;
	return true;
}

void
certify(FILE *out, const struct problem *p, const struct candidate *best, double target, double deadline)
{
	struct tree t = { .out = out, .deadline = deadline };

	if (target < INFINITY && target > 0 && runs_left_open(&t.runs, p, target)) {
		t.game = game_new(p, out);
		game_begin(&t.game, best);
		push(&t);
		runs_left_begin(&t.runs, t.node[0]);
		while (t.depth > 0 && t.work < WORK && clock_left(deadline))
			if (bound(&t))
				pop(&t);
			else if (!divide(&t))
				break;
		while (t.depth > 0)
			pop(&t);
		game_free(&t.game);
	}
	runs_left_free(&t.runs);
	free(t.node);
	fputs("{\"kind\":\"end\"}\n", out);
}
