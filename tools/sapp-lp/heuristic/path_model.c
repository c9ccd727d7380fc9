/* Path model: the lengths of paths under the plans of several lanes, updated with each change. */
#include "path_model.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/each_width.h"

enum {
	ROOM = 512,		/* maximum number of paths; a multiple of WIDTH */
	WIDTH = 8,		/* paths per vector operation */
	TERMS = 3,		/* forward, backward, weight gradient */
};

static const double NEAR = 0.03;	/* relative distance to the longest path within which paths matter */

struct path_model {
	const struct problem *p;
	bool gradient;		/* whether the schedule splits backwards */
	int n;			/* number of paths */
	double *worth;		/* [pieces][TERMS][ROOM], number of visits of each of the piece's times */
	double *delay;		/* [ROOM], ms of transfers on each path */
	double *length[LANES];	/* [ROOM], ms */
	double *saved[LANES], saved_longest[LANES], saved_crowd[LANES];	/* state saved by path_model_keep() */
	double *trial;		/* [ROOM], ms, lengths of the paths in the last path_model_try() */
	double longest[LANES], trial_longest;
	double crowd[LANES], trial_crowd;	/* ms, see path_model_crowd() */
	/* used: number of accepted changes when each path was last the longest; now: their current number */
	long used[ROOM], now;
};

static double *
numbers(size_t n)
{
	/* Lanes have the alignment of vectors. */
	return (double *)evaluator_lanes((n + LANES - 1) / LANES);
}

struct path_model *
path_model_new(const struct problem *p)
{
	struct path_model *m = xcalloc(1, sizeof *m);

	m->p = p;
	for (uint32_t i = 0; i < p->evaluator.noperations && !m->gradient; i++)
		m->gradient = p->evaluator.operation[i].slot < p->evaluator.slots - 1 &&
		    p->evaluator.operation[i].slot / p->pieces % PHASES >= PHASE_W;
	m->worth = numbers((size_t)p->pieces * TERMS * ROOM);
	m->delay = numbers(ROOM);
	m->trial = numbers(ROOM);
	for (int l = 0; l < LANES; l++)
		m->length[l] = numbers(ROOM);
	for (int l = 0; l < LANES; l++)
		m->saved[l] = numbers(ROOM);
	return m;
}

void
path_model_free(struct path_model *m)
{
	for (int l = 0; l < LANES; l++) {
		free(m->length[l]);
		free(m->saved[l]);
	}
	free(m->worth);
	free(m->delay);
	free(m->trial);
	free(m);
}

static double *
worth(const struct path_model *m, int piece)
{
	return m->worth + (size_t)piece * TERMS * ROOM;
}

/* Add WORTH[n] * MS to LENGTH[n]. */
EACH_WIDTH static void
add_terms(double *restrict length, const double *restrict worth, double ms, int n)
{
	for (int i = 0; i < n; i++)
		length[i] += worth[i] * ms;
}

EACH_WIDTH static double
greatest(const double *length, int n)
{
	double most[WIDTH] = { 0 }, all = 0;

	for (int i = 0; i < n; i += WIDTH)
		for (int k = 0; k < WIDTH; k++)
			most[k] = length[i + k] > most[k] ? length[i + k] : most[k];
	for (int k = 0; k < WIDTH; k++)
		all = most[k] > all ? most[k] : all;
	return all;
}

/* Return the sum over all paths of the square of their length above MORE. */
EACH_WIDTH static double
squares_above(const double *length, double more, int n)
{
	double sum[WIDTH] = { 0 }, all = 0;

	for (int i = 0; i < n; i += WIDTH)
		for (int k = 0; k < WIDTH; k++) {
			double above = length[i + k] > more ? length[i + k] - more : 0;

			sum[k] += above * above;
		}
	for (int k = 0; k < WIDTH; k++)
		all += sum[k];
	return all;
}

/* Return the number of paths, rounded up to whole vectors. The lengths after the last path are 0. */
static int
width(const struct path_model *m)
{
	return (m->n + WIDTH - 1) / WIDTH * WIDTH;
}

static double
crowd_of(const struct path_model *m, const double *length, double longest)
{
	double unit = NEAR * longest * m->n;

	return unit > 0 ? squares_above(length, (1 - NEAR) * longest, width(m)) / unit : 0;
}

static void
add_piece(const struct path_model *m, double *length, int piece, const struct times *t)
{
	const double *w = worth(m, piece);

	add_terms(length, w, t->forward, width(m));
	add_terms(length, w + ROOM, t->backward, width(m));
	if (m->gradient)
		add_terms(length, w + 2 * ROOM, t->gradient, width(m));
}

void
path_model_set(struct path_model *m, int lane, const struct times *times)
{
	memcpy(m->length[lane], m->delay, ROOM * sizeof *m->delay);
	for (int i = 0; i < m->p->pieces; i++)
		add_piece(m, m->length[lane], i, &times[i]);
	m->longest[lane] = greatest(m->length[lane], width(m));
	m->crowd[lane] = crowd_of(m, m->length[lane], m->longest[lane]);
}

double
path_model_try(struct path_model *m, int lane, int n, const int *piece, const struct times *change)
{
	memcpy(m->trial, m->length[lane], (size_t)width(m) * sizeof *m->trial);
	for (int i = 0; i < n; i++)
		add_piece(m, m->trial, piece[i], &change[i]);
	m->trial_longest = greatest(m->trial, width(m));
	m->trial_crowd = crowd_of(m, m->trial, m->trial_longest);
	return m->trial_longest + m->trial_crowd;
}

/* Return the index of the longest path of a lane; -1 if the model has no paths. */
static int
longest_path(struct path_model *m, int lane)
{
	for (int i = 0; i < m->n; i++)
		if (m->length[lane][i] == m->longest[lane])
			return i;
	return -1;
}

void
path_model_take(struct path_model *m, int lane)
{
	double *old = m->length[lane];
	int at;

	m->length[lane] = m->trial;
	m->trial = old;
	m->longest[lane] = m->trial_longest;
	m->crowd[lane] = m->trial_crowd;
	at = longest_path(m, lane);
	m->now++;
	if (at >= 0)
		m->used[at] = m->now;
}

void
path_model_keep(struct path_model *m, int lane)
{
	memcpy(m->saved[lane], m->length[lane], ROOM * sizeof **m->saved);
	m->saved_longest[lane] = m->longest[lane];
	m->saved_crowd[lane] = m->crowd[lane];
}

void
path_model_bring_back(struct path_model *m, int lane)
{
	memcpy(m->length[lane], m->saved[lane], ROOM * sizeof **m->saved);
	m->longest[lane] = m->saved_longest[lane];
	m->crowd[lane] = m->saved_crowd[lane];
}

double
path_model_longest(const struct path_model *m, int lane)
{
	return m->longest[lane];
}

double
path_model_crowd(const struct path_model *m, int lane)
{
	return m->crowd[lane];
}

double
path_model_visits(struct path_model *m, int lane, int piece)
{
	int at = longest_path(m, lane);

	return at < 0 ? 0 : worth(m, piece)[at] + worth(m, piece)[ROOM + at];
}

/* Return the index at which to store the next path. */
static int
place(struct path_model *m)
{
	int at = 0;

	if (m->n < ROOM)
		return m->n++;
	for (int i = 1; i < m->n; i++)
		if (m->used[i] < m->used[at])
			at = i;
	return at;
}

void
path_model_add(struct path_model *m, const struct visits *v, struct times *const *times)
{
	const struct problem *p = m->p;
	int at = place(m);

	m->used[at] = m->now;
	m->delay[at] = v->delay;
	for (int i = 0; i < p->pieces; i++) {
		struct times w = piece_worth(p, i, v);

		worth(m, i)[at] = w.forward;
		worth(m, i)[ROOM + at] = w.backward;
		worth(m, i)[2 * ROOM + at] = w.gradient;
	}
	for (int l = 0; l < LANES; l++) {
		double length = m->delay[at];

		for (int i = 0; i < p->pieces; i++)
			length += times_product(piece_worth(p, i, v), times[l][i]);
		m->length[l][at] = length;
		/* The dropped path may have been this lane's longest. */
		m->longest[l] = greatest(m->length[l], width(m));
		m->crowd[l] = crowd_of(m, m->length[l], m->longest[l]);
	}
}
