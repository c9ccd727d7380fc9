/* Recompute greedy: one setting of a stage that fits, by equal shares or step by step. */
#include "recompute_greedy.h"

#include <math.h>

#include "recompute_held.h"

bool
recompute_evenly(const struct problem *p, int stage, const int *content, int *mix)
{
	int low = 0, high = 64;

	if (p->holds)
		return recompute_held_least(p, stage, content, mix);
	if (stage_least_memory(p, stage, content) > p->limit[stage] + MEMORY_SLACK)
		return false;
	/* A share of HIGH + 1 fits, one of LOW - 1 does not, in 64ths of a front. */
	while (low <= high) {
		int share = (low + high) / 2;

		for (int v = 0; v < p->chunks; v++)
			mix[v] = ((contents_front(&p->contents, content[v])->n - 1) * share + 63) / 64;
		if (stage_peak(p, stage, content, mix) <= p->limit[stage] + MEMORY_SLACK)
			high = share - 1;
		else
			low = share + 1;
	}
	for (int v = 0; v < p->chunks; v++)
		mix[v] = ((contents_front(&p->contents, content[v])->n - 1) * low + 63) / 64;
	return true;
}

enum { MIXES = 64 };		/* of one chunk's front that are compared, at most */

struct fitting {
	const struct problem *p;
	const struct rows *rows;
	const struct pareto_front *chunk[CHUNKS_MAX];
	const double *value;
	int *mix;
	double *over;		/* [rows], MB by which each row exceeds the room for activations; negative: room left */
};

static int
live(const struct fitting *f, int row, int chunk)
{
	return f->rows->live[row * f->p->chunks + chunk];
}

static void
set_mix(struct fitting *f, int chunk, int mix)
{
	double more = f->chunk[chunk]->mix[mix].activation - f->chunk[chunk]->mix[f->mix[chunk]].activation;

	for (int r = 0; r < f->rows->n; r++)
		f->over[r] += live(f, r, chunk) * more;
	f->mix[chunk] = mix;
}

/*
 * Recompute more until it fits, by the mix that relieves the worst row most for the time lost; false: nothing is
 * left.
 */
static bool
recompute_more(struct fitting *f)
{
	for (;;) {
		double worst = 0, best = 0;
		int row = -1, chunk = -1, mix = 0;

		for (int r = 0; r < f->rows->n; r++)
			if (f->over[r] > worst) {
				worst = f->over[r];
				row = r;
			}
		if (row < 0)
			return true;
		for (int v = 0; v < f->p->chunks; v++) {
			const struct mix *now = &f->chunk[v]->mix[f->mix[v]];
			int many = live(f, row, v), last = f->chunk[v]->n - 1, each = 1 + (last - f->mix[v]) / MIXES;

			for (int m = last; m > f->mix[v] && many > 0; m -= each) {
				const struct mix *then = &f->chunk[v]->mix[m];
				double relief = fmin(worst, many * (now->activation - then->activation));
				/* Where parts of backwards matter, one with less memory may be faster. */
				double lost = f->value[v] * fmax(then->backward - now->backward, 0);
				double ratio = relief / lost;

				if (ratio >= best) {
					best = ratio;
					chunk = v;
					mix = m;
				}
			}
		}
		if (chunk < 0)
			return false;
		set_mix(f, chunk, mix);
	}
}

/* The fastest mix that a chunk can have with the other chunks as they are. */
static int
fastest(const struct fitting *f, int chunk)
{
	const struct pareto_front *c = f->chunk[chunk];
	double most = INFINITY;
	int low = 0, high = f->mix[chunk];

	for (int r = 0; r < f->rows->n; r++)
		if (live(f, r, chunk) > 0)
			most = fmin(most, c->mix[f->mix[chunk]].activation - f->over[r] / live(f, r, chunk));
	while (low < high) {
		int middle = (low + high) / 2;

		if (c->mix[middle].activation <= most)
			high = middle;
		else
			low = middle + 1;
	}
	for (int m = low; m < c->n && f->p->weighs; m++)
		low = c->mix[m].backward < c->mix[low].backward ? m : low;
	return low;
}

/* Recompute less where it still fits. */
static void
recompute_less(struct fitting *f)
{
	int chunks = f->p->chunks, to[CHUNKS_MAX], chunk;

	for (;;) {
		for (int v = 0; v < chunks; v++)
			to[v] = f->mix[v] > 0 ? fastest(f, v) : 0;
		if ((chunk = gains_most(chunks, f->chunk, f->value, f->mix, to)) < 0)
			return;
		set_mix(f, chunk, to[chunk]);
	}
}

bool
recompute_from(const struct problem *p, int stage, const int *content, const double *value, int *mix)
{
	struct fitting f = { .p = p, .rows = &p->evaluator.rows[stage], .value = value, .mix = mix };
	const struct content *chunk[p->chunks];
	double over[f.rows->n + 1], room;

	if (p->holds)
		return recompute_held(p, stage, content, value, mix);
	for (int v = 0; v < p->chunks; v++) {
		chunk[v] = &p->contents.content[content[v]];
		f.chunk[v] = contents_front(&p->contents, content[v]);
	}
	room = p->limit[stage] + MEMORY_SLACK - stage_fixed(p, stage, chunk);
	f.over = over;
	for (int r = 0; r < f.rows->n; r++) {
		over[r] = row_beside(p, stage, r, chunk, p->chunks) - room;
		for (int v = 0; v < p->chunks; v++)
			over[r] += live(&f, r, v) * f.chunk[v]->mix[mix[v]].activation;
	}
	/* A single chunk is recomputed in full, then as much less as fits: that is the best. */
	if (p->chunks == 1)
		set_mix(&f, 0, f.chunk[0]->n - 1);
	if (!recompute_more(&f))
		return false;
	recompute_less(&f);
	return true;
}

bool
recompute_plan(const struct problem *p, struct candidate *c)
{
	double value[CHUNKS_MAX];

	for (int v = 0; v < p->chunks; v++)
		value[v] = 1;
	for (int s = 0; s < p->stages; s++) {
		int content[CHUNKS_MAX], mix[CHUNKS_MAX];

		for (int v = 0; v < p->chunks; v++) {
			content[v] = c->content[v * p->stages + s];
			mix[v] = c->mix[v * p->stages + s];
		}
		if (!recompute_from(p, s, content, value, mix))
			return false;
		for (int v = 0; v < p->chunks; v++)
			c->mix[v * p->stages + s] = mix[v];
	}
	return true;
}
