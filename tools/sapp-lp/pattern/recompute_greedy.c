#include "recompute_greedy.h"

#include <math.h>

enum { MIXES = 64 };		/* maximum number of mixes of a chunk that are compared */
/* minimum reduction relative to the excess: a smaller reduction may be rounding, and the loop might not end */
static const double RELIEF = 1e-9;

struct greedy_fitting {
	const struct problem *p;
	int stage;
	const int *content;
	const struct pareto_front *chunk[CHUNKS_MAX];
	const double *value;
	int *mix;
	int rows;		/* number of memory rows that can exceed their room */
	double *over;		/* [rows], MB above the room; negative: room left */
	double *live, *held;	/* [chunks][rows], micro-batches */
};

static double
positive(double x)
{
	return x > 0 ? x : 0;
}

static void
set_over(struct greedy_fitting *f)
{
	const struct problem *p = f->p;
	const struct rows *rows = &p->evaluator.rows[f->stage];
	const struct content *chunk[p->chunks];
	double room, most[p->chunks];

	for (int v = 0; v < p->chunks; v++) {
		const struct pareto_front *front = contents_front(&p->contents, f->content[v]);

		chunk[v] = &p->contents.content[f->content[v]];
		f->chunk[v] = front;
		most[v] = 0;
		for (int m = 0; m < front->n; m++)
			most[v] = front->mix[m].kept > most[v] ? front->mix[m].kept : most[v];
	}
	room = p->limit[f->stage] + MEMORY_SLACK - stage_fixed(p, f->stage, chunk);
	f->rows = 0;
	for (int r = 0; r < rows->n; r++) {
		const int *live = rows->live + r * p->chunks, *held = rows->held + r * p->chunks;
		double over = row_beside(p, f->stage, r, chunk, p->chunks) - room, full = over;

		for (int v = 0; v < p->chunks; v++) {
			const struct mix *m = &f->chunk[v]->mix[f->mix[v]];

			over += live[v] * m->activation + held[v] * m->kept;
			full += live[v] * f->chunk[v]->mix[0].activation + held[v] * most[v];
			f->live[v * rows->n + f->rows] = live[v];
			f->held[v * rows->n + f->rows] = held[v];
		}
		f->over[f->rows] = over;
		f->rows += full > 0;
	}
}

/* Return the index of a chunk's first row in live[] and held[]. */
static size_t
first_of(const struct greedy_fitting *f, int chunk)
{
	return (size_t)chunk * (size_t)f->p->evaluator.rows[f->stage].n;
}

/* Return the change of a chunk's activation and memory for W, MB, if its mix changes to MIX. */
static struct mix
change(const struct greedy_fitting *f, int chunk, int mix)
{
	const struct mix *to = &f->chunk[chunk]->mix[mix], *from = &f->chunk[chunk]->mix[f->mix[chunk]];

	return (struct mix){ .activation = to->activation - from->activation, .kept = to->kept - from->kept };
}

/*
 * Return the sum over all rows of the MB above their room, if a chunk changes its mix to MIX. A result above MOST is
 * only a lower bound.
 */
static double
overflow(const struct greedy_fitting *f, int chunk, int mix, double most)
{
	const double *live = f->live + first_of(f, chunk), *held = f->held + first_of(f, chunk);
	struct mix more = change(f, chunk, mix);
	double sum = 0;

	for (int r = 0; r < f->rows && sum <= most; r++)
		sum += positive(f->over[r] + live[r] * more.activation + held[r] * more.kept);
	return sum;
}

static void
set_mix(struct greedy_fitting *f, int chunk, int mix)
{
	const double *live = f->live + first_of(f, chunk), *held = f->held + first_of(f, chunk);
	struct mix more = change(f, chunk, mix);

	for (int r = 0; r < f->rows; r++)
		f->over[r] += live[r] * more.activation + held[r] * more.kept;
	f->mix[chunk] = mix;
}

/*
 * Change mixes until the stage fits. Each time, change one chunk to the mix that reduces the sum of excesses over all
 * memory rows most per lost time. Return false if no mix reduces this sum.
 */
static bool
relieve(struct greedy_fitting *f)
{
	for (;;) {
		double before = overflow(f, 0, f->mix[0], INFINITY), best = 0;
		int chunk = -1, mix = 0;

		if (before == 0)
			return true;
		for (int v = 0; v < f->p->chunks; v++) {
			const struct mix *now = &f->chunk[v]->mix[f->mix[v]];
			int last = f->chunk[v]->n - 1, each = 1 + last / MIXES;

			for (int m = last; m >= 0; m -= each) {
				double relief = before - overflow(f, v, m, before);
				double lost = f->value[v] * positive(f->chunk[v]->mix[m].backward - now->backward);

				if (relief > RELIEF * before && relief / lost > best) {
					best = relief / lost;
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

/*
 * Return the fastest mix of a chunk that fits with the current mixes of the other chunks. If parts of backwards or
 * memory for W matter, a mix with less memory may be faster.
 */
static int
fastest(const struct greedy_fitting *f, int chunk)
{
	const struct pareto_front *c = f->chunk[chunk];
	int low = 0, best = f->mix[chunk];

	if (!f->p->parts)
		while (low < best) {
			int middle = (low + best) / 2;

			if (overflow(f, chunk, middle, 0) == 0)
				best = middle;
			else
				low = middle + 1;
		}
	else
		for (int m = 0; m < c->n; m++)
			if (c->mix[m].backward < c->mix[best].backward && overflow(f, chunk, m, 0) == 0)
				best = m;
	return best;
}

/*
 * Return the chunk that gains most if its mix changes to TO[chunks]. Times are weighted by their values; -1: no chunk
 * gains.
 */
static int
gains_most(const struct greedy_fitting *f, const int *to)
{
	double best = 0;
	int chunk = -1;

	for (int v = 0; v < f->p->chunks; v++) {
		const struct mix *mix = f->chunk[v]->mix;
		double gain = f->value[v] * (mix[f->mix[v]].backward - mix[to[v]].backward);

		if (gain > best) {
			best = gain;
			chunk = v;
		}
	}
	return chunk;
}

/* Recompute less as long as the stage fits. */
static void
recompute_less(struct greedy_fitting *f)
{
	int to[CHUNKS_MAX], chunk;

	do {
		for (int v = 0; v < f->p->chunks; v++)
			to[v] = fastest(f, v);
		if ((chunk = gains_most(f, to)) >= 0)
			set_mix(f, chunk, to[chunk]);
	} while (chunk >= 0);
}

bool
recompute_from(const struct problem *p, int stage, const int *content, const double *value, int *mix)
{
	size_t rows = (size_t)p->evaluator.rows[stage].n;
	double over[rows + 1], live[rows * (size_t)p->chunks + 1], held[rows * (size_t)p->chunks + 1];
	struct greedy_fitting f = { .p = p, .stage = stage, .content = content, .value = value, .mix = mix,
	    .over = over,
		.live = live, .held = held };

	set_over(&f);
	if (!relieve(&f)) {
		if (stage_least_mixes(p, stage, content, mix) > p->limit[stage] + MEMORY_SLACK)
			return false;
		set_over(&f);
	}
	recompute_less(&f);
	return true;
}

/* Start from the mixes with the least memory, with equal weights of all times. */
static bool
recompute_from_least(const struct problem *p, int stage, const int *content, int *mix)
{
	double value[CHUNKS_MAX];

	if (stage_least_mixes(p, stage, content, mix) > p->limit[stage] + MEMORY_SLACK)
		return false;
	for (int v = 0; v < p->chunks; v++)
		value[v] = 1;
	return recompute_from(p, stage, content, value, mix);
}

bool
recompute_evenly(const struct problem *p, int stage, const int *content, int *mix)
{
	int low = 0, high = 64;

	if (p->least != NULL)
		return recompute_from_least(p, stage, content, mix);
	if (stage_least_memory(p, stage, content) > p->limit[stage] + MEMORY_SLACK)
		return false;
	/* Shares are in 64ths of a front. A share of HIGH + 1 fits, and a share of LOW - 1 does not fit. */
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

bool
recompute_plan(const struct problem *p, struct candidate *c)
{
	double value[CHUNKS_MAX];

	for (int v = 0; v < p->chunks; v++)
		value[v] = 1;
	for (int s = 0; s < p->stages; s++) {
		int content[CHUNKS_MAX], mix[CHUNKS_MAX];

		candidate_stage(p, c, s, content, mix);
		if (!recompute_from(p, s, content, value, mix))
			return false;
		candidate_set_mixes(p, c, s, mix);
	}
	return true;
}
