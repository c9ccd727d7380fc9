/* Depth-first enumeration, pruned by the minimum memory of the remaining pieces. */
#include "layouts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/model/least_memory.h"
#include "sapp-lp/model/tier.h"

enum {
	/* maximum depth of recursion; with more pieces the enumeration would never end */
	PIECES_MAX = 256,
	TRY_BORDERS = 32,		/* borders that set_can() examines in about the time of one try */
	CHECK_EVERY = 1024,		/* layouts begun between checks of the clock */
};
static const double CLOSER = 1e-9;	/* MB by which a layout's excess must be below the best known excess */

struct exact_layouts {
	const struct problem *p;
	long tries, tried;
	double deadline;
	bool stopped;
	double enough, best;	/* MB, see layouts_least(); least excess so far */
	int *layers;		/* [pieces], layers of the best layout */
	int *now;		/* [pieces], layers of the current layout */
	int *content;		/* [pieces], contents of the current layout */
	double **sum;		/* [stages][rows], MB of the pieces placed so far, without the stage's ends */
	double **later;		/* [pieces][rows of its stage], minimum MB of the stage's later pieces */
	double **others;	/* [pieces][rows of its stage], minimum MB of all other pieces of the stage */
	/* [pieces + 1][layers + 1]: whether the remaining layers can be placed in the pieces from n on */
	char *can;
};

static const struct rows *
rows_of(const struct exact_layouts *l, int piece)
{
	return &l->p->evaluator.rows[piece % l->p->stages];
}

/*
 * Return the MB by which the stage of PIECE exceeds its limit with the contents of all its pieces. Return -INFINITY if
 * PIECE is not the last piece of its stage. The excess is larger than the sum of the pieces' minima if no mix has both
 * the least activation and the least memory for W.
 */
static double
excess_of_all(const struct exact_layouts *l, int piece)
{
	const struct problem *p = l->p;
	int content[p->chunks], stage = piece % p->stages;

	for (int v = 0; v < p->chunks; v++) {
		int other = v * p->stages + stage;

		if (p->position[other] > p->position[piece])
			return -INFINITY;
		content[v] = l->content[other];
	}
	return stage_excess_floor(p, stage, content);
}

/* Return the minimum MB that a piece with one layer or none adds to a row of its stage. */
static double
least_memory(const struct exact_layouts *l, int piece, int row)
{
	int running = rows_of(l, piece)->running[row * l->p->chunks + piece / l->p->stages];
	double least = l->p->fewest[piece] == 0 ? 0 : INFINITY;

	for (int b = 0; b < l->p->net->nbodies; b++) {
		if (piece_can_have(l->p, piece, b))
			least = fmin(least, row_least(l->p, piece % l->p->stages, row, piece / l->p->stages, b));
	}
	return least + running * piece_least_transient(l->p, piece);
}

/* Return the MB that a piece with a content adds to a row of its stage. */
static double
memory(const struct exact_layouts *l, int piece, const struct content *c, int row)
{
	const struct rows *rows = rows_of(l, piece);
	int at = row * l->p->chunks + piece / l->p->stages;

	return row_content_parameter(l->p, piece % l->p->stages, row, c) + rows->live[at] * c->activation +
	    rows->held[at] * c->kept + rows->running[at] * piece_transient(l->p, piece, c);
}

/*
 * Return the MB by which a piece's stage exceeds its limit. The piece has content C. OTHERS[rows]: MB of the stage's
 * other pieces; PLACED[rows] (may be NULL): MB of its placed pieces.
 */
static double
excess_with(const struct exact_layouts *l, int piece, const struct content *c, const double *others,
    const double *placed)
{
	int stage = piece % l->p->stages, n = rows_of(l, piece)->n;
	double most = n > 0 ? -INFINITY : stage_ends(l->p, stage);

	for (int r = 0; r < n; r++)
		most = fmax(most, (placed != NULL ? placed[r] : 0) + others[r] + memory(l, piece, c, r) +
		    (row_is_other(l->p, stage, r) ? 0 : stage_ends(l->p, stage)));
	return most - l->p->limit[stage];
}

/* Return whether a piece may hold LAYERS layers from FIRST on, with the minimum in the other pieces of its stage. */
static bool
alone(const struct exact_layouts *l, int piece, int first, int layers)
{
	const struct contents *m = &l->p->contents;
	int content = piece_content(l->p, piece, first, layers);

	return content >= 0 && excess_with(l, piece, &m->content[content], l->others[piece], NULL) < l->best;
}

/* Set can[] from the runs of layers that each piece may hold. */
static void
set_can(struct exact_layouts *l)
{
	const struct problem *p = l->p;
	int all = p->net->layers;
	size_t width = (size_t)all + 1;

	for (int n = p->pieces; n >= 0; n--) {
		char *can = l->can + (size_t)n * width;
		const char *next = can + width;
		int far = 0;		/* end of the longest run from FIRST that the piece may hold */
		int last = -1;		/* the last end up to FAR from which the following pieces can continue */

		for (int first = 0; first <= all && n < p->pieces; first++) {
			far = far > first ? far : first;
			for (; far < all && alone(l, p->piece[n], first, far + 1 - first); far++)
				last = next[far + 1] ? far + 1 : last;
			can[first] = last > first || (p->fewest[p->piece[n]] == 0 && next[first] &&
			    alone(l, p->piece[n], first, 0));
		}
		if (n == p->pieces)
			can[all] = 1;
	}
	l->tries -= (long)p->pieces * all / TRY_BORDERS;
}

/*
 * Place layers in piece N and the pieces after it. WORST: MB, largest excess so far. Return false to stop the
 * enumeration.
 */
static bool
place(struct exact_layouts *l, int n, int first, double worst)
{
	const struct problem *p = l->p;
	int piece = p->piece[n < p->pieces ? n : 0], rows = rows_of(l, piece)->n, content;
	double *sum = l->sum[piece % p->stages], before[rows + 1];

	if (n == p->pieces) {
		l->best = worst;
		for (int i = 0; i < p->pieces; i++)
			l->layers[i] = l->now[i];
		set_can(l);
		return worst > l->enough;
	}
	for (int k = p->fewest[piece]; (content = piece_content(p, piece, first, k)) >= 0; k++) {
		const struct content *c = &p->contents.content[content];
		double excess = excess_with(l, piece, c, l->later[piece], sum);
		bool more;

		l->content[piece] = content;
		if (p->least != NULL && excess < l->best - CLOSER)
			excess = fmax(excess, excess_of_all(l, piece));
		/* More layers would need more memory. */
		if (excess >= l->best - CLOSER || worst >= l->best - CLOSER)
			break;
		if (l->tries-- <= 0 || (++l->tried % CHECK_EVERY == 0 && !clock_left(l->deadline))) {
			l->stopped = true;
			return false;
		}
		if (!l->can[(size_t)(n + 1) * ((size_t)p->net->layers + 1) + (size_t)(first + k)] ||
		    !problem_border(p, n + 1, first + k))
			continue;
		for (int r = 0; r < rows; r++) {
			before[r] = sum[r];
			sum[r] += memory(l, piece, c, r);
		}
		l->now[piece] = k;
		more = place(l, n + 1, first + k, fmax(worst, excess));
		memcpy(sum, before, (size_t)rows * sizeof *sum);
		if (!more)
			return false;
	}
	return true;
}

static struct exact_layouts
layouts_new(const struct problem *p)
{
	struct exact_layouts l = { .p = p, .now = xcalloc((size_t)p->pieces, sizeof *l.now),
		.content = xcalloc((size_t)p->pieces, sizeof *l.content) };

	l.sum = xcalloc((size_t)p->stages, sizeof *l.sum);
	l.later = xcalloc((size_t)p->pieces, sizeof *l.later);
	l.others = xcalloc((size_t)p->pieces, sizeof *l.others);
	l.can = xcalloc(((size_t)p->pieces + 1) * ((size_t)p->net->layers + 1), sizeof *l.can);
	for (int s = 0; s < p->stages; s++)
		l.sum[s] = xcalloc((size_t)p->evaluator.rows[s].n, sizeof **l.sum);
	for (int i = 0; i < p->pieces; i++) {
		l.later[i] = xcalloc((size_t)rows_of(&l, i)->n, sizeof **l.later);
		l.others[i] = xcalloc((size_t)rows_of(&l, i)->n, sizeof **l.others);
		for (int r = 0; r < rows_of(&l, i)->n; r++)
			for (int j = i % p->stages; j < p->pieces; j += p->stages) {
				l.others[i][r] += j != i ? least_memory(&l, j, r) : 0;
				l.later[i][r] += p->position[j] > p->position[i] ? least_memory(&l, j, r) : 0;
			}
	}
	return l;
}

static void
layouts_free(struct exact_layouts *l)
{
	for (int s = 0; s < l->p->stages; s++)
		free(l->sum[s]);
	for (int i = 0; i < l->p->pieces; i++) {
		free(l->later[i]);
		free(l->others[i]);
	}
	free(l->now);
	free(l->content);
	free(l->sum);
	free(l->later);
	free(l->others);
	free(l->can);
}

bool
layouts_least(const struct problem *p, long tries, double deadline, double enough, double *mb, int *layers)
{
	struct exact_layouts l;
	bool all;

	if (p->pieces > PIECES_MAX)
		return false;
	l = layouts_new(p);
	l.tries = tries;
	l.deadline = deadline;
	l.enough = enough;
	l.best = *mb;
	l.layers = layers;
	set_can(&l);
	all = place(&l, 0, 0, -INFINITY) || !l.stopped;
	*mb = l.best;
	layouts_free(&l);
	return all;
}
