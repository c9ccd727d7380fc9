/*
 * Load bound, by bisection of the step. The lower end of the interval is a step for which the layers cannot be placed.
 * So this end is a bound, even if the bisection is interrupted. Rounding is subtracted from the bound.
 *
 * One chunk per stage: stage s begins when the first micro-batch has passed the stages before it. Stage s then runs the
 * forward and the backward of M micro-batches. Then the last backward passes the earlier stages: step >= sum over r < s
 * of (F_r + B_r) + M (F_s + B_s). Layers are placed stage by stage. For each number of placed layers, only the least
 * delay that the earlier stages cause is kept.
 *
 * Several chunks: stage s begins when the first micro-batch has passed the pieces before the stage's first piece. After
 * the stage's last operation a backward passes these pieces again: step >= lead_s + M x work_s. lead_s is the time of
 * forward and backward of these pieces, work_s that of the stage's pieces. Every piece has its minimum number of
 * layers. The bound is a relaxation. Layers form two classes, cheap and dear, in any order. All layers of a class cost
 * as little as its cheapest layer. Stages are filled one after the other. For each number of placed cheap layers, only
 * the maximum number of dear layers is kept.
 */
#include "load_bound.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/schedule/scheme.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/model/tier.h"
#include "sapp-lp/model/tuning.h"

static const double UNTIMED_WORK = 1e5;	/* numbers of layers tried before the deadline is checked */
enum { HALVINGS = 50 };			/* number of bisection steps, after which the interval is below rounding */

double
least_step(bool (*can)(const void *bound, double step), const void *bound, double low, double high, double deadline)
{
	if (!can(bound, INFINITY))
		return INFINITY;
	while (!can(bound, high)) {
		low = high;
		high *= 2;
	}
	for (int i = 0; i < HALVINGS && clock_left(deadline); i++) {
		double middle = low + (high - low) / 2;

		if (can(bound, middle))
			high = middle;
		else
			low = middle;
	}
	return low;
}

struct bound_piece {			/* a run of layers on a stage; work INFINITY: the run does not fit */
	double work;		/* ms per micro-batch */
	double before;		/* ms by which the piece delays later stages: F + B, but only F if B has two parts */
};

struct bound {
	const struct problem *p;
	struct bound_piece *piece;	/* [stages][layers][most] */
	int most;
};

static struct bound_piece *
piece_at(const struct bound *b, int stage, int first, int n)
{
	return &b->piece[((size_t)stage * (size_t)b->p->net->layers + (size_t)first) * (size_t)b->most + (size_t)n - 1];
}

static void
fill(struct bound *b, bool limits)
{
	const struct problem *p = b->p;
	bool whole = !schedule_scheme(p->shape.kind)->split;

	for (int s = 0; s < p->stages; s++)
		for (int first = 0; first < p->net->layers; first++)
			for (int n = 1; n <= b->most; n++) {
				int content = piece_content(p, s, first, n);
				struct bound_piece *to = piece_at(b, s, first, n);
				struct mix only = { 0 };
				struct times t;

				*to = (struct bound_piece){ INFINITY, INFINITY };
				if (content < 0 || (limits && stage_memory_floor(p, s, &content) > proof_limit(p, s)))
					continue;
				only.backward = p->contents.content[content].backward;
				t = piece_times(p, s, &p->contents.content[content], &only);
				to->work = p->pace[s] * (t.forward + t.backward);
				to->before = whole ? to->work : p->pace[s] * t.forward;
			}
}

/* Return whether the layers can be placed such that no stage works longer than STEP. */
static bool
can_lay(const void *bound, double step)
{
	const struct bound *b = bound;
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
				const struct bound_piece *x = piece_at(b, s, first, n);

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

/* With several chunks: the part of a stage's load that does not depend on its layers. */
struct bound_stage {
	double lead;		/* ms, once per step */
	double ends;		/* ms per micro-batch of head and tail */
};

struct mixed {
	const struct problem *p;
	struct bound_stage *stage;
	/*
	 * Number of layers in two classes, each as cheap as its cheapest layer. The dear class is the body with most
	 * layers together with all dearer layers; the cheap class is the rest.
	 */
	int cheap, dear;
	double cheap_work, dear_work;		/* ms per micro-batch, forward and backward */
	int never;		/* number of layers that are never recomputed */
	double *again;		/* [layers + 1], ms: least recomputation of a stage, by number of layers */
};

static double
body_work(const struct body *b)
{
	return b->forward + body_least_backward(b);
}

static void
classify(struct mixed *x)
{
	const struct network *net = x->p->net;
	const struct body *largest = net->body;
	double split;

	for (int b = 1; b < net->nbodies; b++)
		if (net->body[b].layers > largest->layers)
			largest = &net->body[b];
	split = body_work(largest);
	x->cheap_work = x->dear_work = split;
	for (int b = 0; b < net->nbodies; b++) {
		double work = body_work(&net->body[b]);

		if (work < split) {
			x->cheap += net->body[b].layers;
			x->cheap_work = fmin(x->cheap_work, work);
		} else {
			x->dear += net->body[b].layers;
		}
	}
}

/*
 * Return the minimum number of recomputed layers on a stage. A stage has this minimum if all its pieces except one have
 * one layer or none.
 */
static int
least_recomputed(const struct mixed *x, int layers)
{
	int most = x->p->net->first_layers, n = layers - x->never;
	int others = x->p->net->empty || x->p->net->alone ? 0 : x->p->chunks - 1;

	if (x->never == 0 && n > others)
		n = others + (n - others < most ? n - others : most);
	else
		n = n < most ? n : most;
	return n > 0 && most > 0 ? n : 0;
}

static void
recomputation(struct mixed *x)
{
	const struct network *net = x->p->net;
	double least = INFINITY;

	for (int b = 0; b < net->nbodies; b++) {
		const struct body *body = &net->body[b];

		if (b >= net->first_bodies || body->side != 0)
			x->never += body->layers;
		else if (body->has[RECOMPUTE_FULL] && body->has[RECOMPUTE_NONE])
			least = fmin(least, fmax(0, body->backward[RECOMPUTE_FULL] - body->backward[RECOMPUTE_NONE]));
		else
			least = 0;
	}
	x->again = xcalloc((size_t)net->layers + 1, sizeof *x->again);
	for (int n = 1; n <= net->layers && net->first_only && least < INFINITY; n++)
		x->again[n] = least_recomputed(x, n) * least;
}

/* Compute the lead of each stage, from the pieces that precede its first piece in model order. */
static void
leads(struct mixed *x, bool whole)
{
	const struct problem *p = x->p;
	double forward = INFINITY, work = INFINITY, pace = INFINITY, lead;

	for (int b = 0; b < p->net->nbodies; b++) {
		forward = fmin(forward, p->net->body[b].forward);
		work = fmin(work, body_work(&p->net->body[b]));
	}
	lead = p->net->head.forward + (whole ? p->net->head.backward : 0);
	for (int s = 0; s < p->stages; s++)
		pace = fmin(pace, p->pace[s]);
	x->stage = xcalloc((size_t)p->stages, sizeof *x->stage);
	for (int i = p->pieces - 1; i >= 0; i--) {
		struct bound_stage *s = &x->stage[p->piece[i] % p->stages];
		struct times t = end_times(p, p->piece[i]);

		s->ends += t.forward + t.backward;
		s->lead = i == 0 ? 0 : pace * (lead + p->needed[i] * (whole ? work : forward));
	}
}

/*
 * Return the maximum number of dear layers on a stage with CHEAP cheap layers, within CAPACITY ms; -1: the cheap layers
 * alone exceed CAPACITY.
 */
static int
most_dear(const struct mixed *x, int cheap, int dear, double capacity)
{
	while (dear >= 0 && cheap * x->cheap_work + dear * x->dear_work + x->again[cheap + dear] > capacity)
		dear--;
	return dear;
}

static bool
can_fill(const void *mixed, double step)
{
	const struct mixed *x = mixed;
	const struct problem *p = x->p;
	size_t n = (size_t)x->cheap + 1;
	int *most = xcalloc(n, sizeof *most), *next = xcalloc(n, sizeof *next), *swap;
	bool good;

	for (size_t i = 1; i < n; i++)
		most[i] = -1;
	for (int s = 0; s < p->stages; s++) {
		int fewest = stage_fewest(p, s);
		double capacity = (step - x->stage[s].lead) / (p->micro * p->pace[s]) - x->stage[s].ends;

		for (size_t i = 0; i < n; i++)
			next[i] = -1;
		for (int c = 0, d = x->dear; c <= x->cheap; c++) {
			d = most_dear(x, c, d, capacity);
			if (d < 0)
				break;
			for (int i = 0; c + d >= fewest && i + c <= x->cheap; i++)
				if (most[i] >= 0 && most[i] + d > next[i + c])
					next[i + c] = most[i] + d < x->dear ? most[i] + d : x->dear;
		}
		swap = most;
		most = next;
		next = swap;
	}
	good = most[x->cheap] >= x->dear;
	free(most);
	free(next);
	return good;
}

static double
chunks_bound(const struct problem *p, double deadline)
{
	bool whole = !schedule_scheme(p->shape.kind)->split;
	struct mixed x = { .p = p };
	double low, work;

	/* Overlapping operations may take less than their sum. Custom orders may place pieces differently. */
	if (p->stages != p->shape.stages || p->together < 1 || !schedule_provable(p->shape.kind))
		return 0;
	classify(&x);
	work = (double)p->stages * x.cheap * x.cheap;
	if (work > tuning.load_work)
		return 0;
	recomputation(&x);
	leads(&x, whole);
	low = least_step(can_fill, &x, 0, 1, work > UNTIMED_WORK ? deadline : INFINITY);
	free(x.stage);
	free(x.again);
	return low < INFINITY ?
	    proved_bound(p, low, low, 4 * p->net->nbodies * RECOMPUTE_KINDS + 2 * p->pieces + 8) : 0;
}

double
load_bound(const struct problem *p, bool limits, double deadline)
{
	struct bound b = { .p = p, .most = p->contents.most < p->net->layers ? p->contents.most : p->net->layers };
	double low, work = (double)p->stages * p->net->layers * b.most;

	if (p->chunks > 1)
		return chunks_bound(p, deadline);
	if (p->pieces != p->shape.stages || work > tuning.load_work || p->together < 1)
		return 0;
	b.piece = xcalloc((size_t)p->stages * (size_t)p->net->layers * (size_t)b.most, sizeof *b.piece);
	fill(&b, limits);
	low = least_step(can_lay, &b, 0, 1, work > UNTIMED_WORK ? deadline : INFINITY);
	free(b.piece);
	return low == INFINITY ? low : proved_bound(p, low, low, 4 * p->net->nbodies * RECOMPUTE_KINDS + p->stages + 8);
}
