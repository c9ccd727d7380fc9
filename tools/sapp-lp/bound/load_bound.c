/*
 * The least step that the work of the stages allows.  Stage s begins when the first micro-batch has come through the
 * stages before it, takes M times its forward and backward, and the last backward goes back through those stages:
 * step >= sum over r < s of (F_r + B_r) + M (F_s + B_s).  For a step to try, the numbers of layers are laid stage by
 * stage, keeping for each number of layers placed the least work that the stages can have before the next; the least
 * step for which all layers can be placed is found by bisection.  It is the lower end of the bisection that is
 * returned, for which they cannot, with rounding taken off: a bound whenever it ends.
 */
#include "load_bound.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "chunks_bound.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/model/tier.h"

static const double most_work = 4e6;	/* numbers of layers to look at, for one step */
static const double untimed_work = 1e5;	/* the same, up to which the clock is not looked at */
enum { HALVINGS = 50 };

struct piece {			/* a number of layers from one on, on a stage; work INFINITY: they do not fit */
	double work;		/* ms of a micro-batch */
	double before;		/* ms by which it delays the stages behind: F + B, F alone where B is in two parts */
};

struct bound {
	const struct problem *p;
	struct piece *piece;	/* [stages][layers][most] */
	int most;
};

static struct piece *
piece_at(const struct bound *b, int stage, int first, int n)
{
	return &b->piece[((size_t)stage * (size_t)b->p->net->layers + (size_t)first) * (size_t)b->most + (size_t)n - 1];
}

static void
fill(struct bound *b, bool limits)
{
	const struct problem *p = b->p;
	enum schedule_kind kind = p->shape.kind;
	bool whole = kind == SCHEDULE_GPIPE || kind == SCHEDULE_1F1B || kind == SCHEDULE_VPP ||
	    kind == SCHEDULE_VPP_LESS;

	for (int s = 0; s < p->stages; s++)
		for (int first = 0; first < p->net->layers; first++)
			for (int n = 1; n <= b->most; n++) {
				int content = piece_content(p, s, first, n);
				struct piece *to = piece_at(b, s, first, n);
				struct mix only = { 0 };
				struct times t;

				*to = (struct piece){ INFINITY, INFINITY };
				if (content < 0 || (limits && stage_memory_floor(p, s, &content) > proof_limit(p, s)))
					continue;
				only.backward = p->contents.content[content].backward;
				t = piece_times(p, s, &p->contents.content[content], &only);
				to->work = p->pace[s] * (t.forward + t.backward);
				to->before = whole ? to->work : p->pace[s] * t.forward;
			}
}

/* Can the layers be placed so that no stage's work takes longer than STEP? */
static bool
can(const struct bound *b, double step)
{
	int layers = b->p->net->layers;
	double *before = xcalloc((size_t)layers + 1, sizeof *before), *next = xcalloc((size_t)layers + 1, sizeof *next),
	    *swap;
	bool good;

	for (int i = 1; i <= layers; i++)
		before[i] = INFINITY;
	for (int s = 0; s < b->p->stages; s++) {
		/* A stage without layers delays nothing. */
		for (int i = 0; i <= layers; i++)
			next[i] = b->p->fewest[s] == 0 ? before[i] : INFINITY;
		for (int first = 0; first < layers; first++)
			for (int n = 1; before[first] < INFINITY && n <= b->most && first + n <= layers; n++) {
				const struct piece *x = piece_at(b, s, first, n);

				if (x->work < INFINITY && before[first] + b->p->micro * x->work <= step)
					next[first + n] = fmin(next[first + n], before[first] + x->before);
			}
		swap = before;
		before = next;
		next = swap;
	}
	good = before[layers] < INFINITY;
	free(before);
	free(next);
	return good;
}

double
load_bound(const struct problem *p, bool limits, double deadline)
{
	struct bound b = { .p = p, .most = p->contents.most < p->net->layers ? p->contents.most : p->net->layers };
	double low = 0, high = 1, work = (double)p->stages * p->net->layers * b.most;

	if (p->chunks > 1)
		return chunks_bound(p, deadline);
	if (p->pieces != p->shape.stages || work > most_work || p->together < 1)
		return 0;
	for (int s = 0; s < p->stages; s++)
		if (p->position[s] != s)	/* an order of one's own may lay them otherwise */
			return 0;
	b.piece = xcalloc((size_t)p->stages * (size_t)p->net->layers * (size_t)b.most, sizeof *b.piece);
	fill(&b, limits);
	if (!can(&b, INFINITY)) {
		free(b.piece);
		return INFINITY;
	}
	while (!can(&b, high)) {
		low = high;
		high *= 2;
	}
	for (int i = 0; i < HALVINGS && (work <= untimed_work || clock_left(deadline)); i++) {
		double middle = (low + high) / 2;

		if (can(&b, middle))
			high = middle;
		else
			low = middle;
	}
	free(b.piece);
	return proved_bound(p, low, low, 4 * p->net->nbodies * RECOMPUTE_KINDS + p->stages + 8);
}
