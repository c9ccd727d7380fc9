/* Certify: a tree of divisions, depth first. */
#include "certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/memstream.h"
#include "lib/base/option.h"
#include "sapp-lp/proof/game.h"
#include "sapp-lp/proof/relaxed.h"

/* maximum number of bounds at a node; number of times that the claim is reduced */
enum { ROUNDS = 20, HALVINGS = 4 };
static const double ALL = .75;		/* fraction of time and work for proving the whole bound */
static const double SHORT = 1e-9;	/* relative difference by which a bound must be below the step */
static const double WORK = 2e10;	/* maximum work: entries of programmes, and operations visited */

struct tree {
	FILE *out;
	struct columns_left left;
	struct game game;
	int depth, room;
	unsigned char **node;	/* [depth], remaining columns of each open node; the last node is processed next */
	double work, deadline;
	bool divided;
	double root;		/* ms, the bound before any division */
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
problem(const struct options *a, const struct pipeline *q)
{
	if (!schedule_provable((enum schedule_kind)q->schedule))
		return "the places of its pieces follow only from its order";
	if (GIVEN(pipeline, q, seq_split) && q->seq_split > 1)
		return "sequences are split";
	if (GIVEN(pipeline, q, overlap) && q->overlap < 1)
		return "an overlapped forward and backward take less than their sum";
	return several_models(a->input) ? "the input has several models" : NULL;
}

void
certify_check(const struct options *a, const struct pipeline *q)
{
	const char *why = problem(a, q);

	if (why != NULL)
		option_usage("-proof: this question cannot be certified: %s", why);
}

static void
push(struct tree *t)
{
	if (t->depth == t->room) {
		t->room = t->room > 0 ? 2 * t->room : 16;
		t->node = xreallocarray(t->node, (size_t)t->room, sizeof *t->node);
	}
	t->node[t->depth++] = xcalloc((size_t)t->left.n + 1, sizeof **t->node);
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
	for (int b = 0; b < t->left.p->net->nbodies && t->left.p->chunks > 1 && t->left.p->net->nbodies > 1; b++)
		fprintf(t->out, "%s%.15g%s", b > 0 ? "," : ",\"prices\":[", m->worth.price[b],
		    b == t->left.p->net->nbodies - 1 ? "]" : "");
	fputs("}\n", t->out);
}

/*
 * Apply the paths of single stages. Each path excludes the columns that overload its stage. Return the number of
 * columns dropped; SIZE_MAX: all.
 */
static size_t
bound_stages(struct tree *t)
{
	size_t all = 0;

	for (int i = 0; i < t->game.first; i++) {
		double ms;
		size_t dropped = columns_left_drop(&t->left, &t->game.path[i].worth, &ms);

		if (dropped > 0)
			fprintf(t->out, "{\"kind\":\"bound\",\"node\":%d,\"paths\":%d,\"weights\":1}\n", t->depth, i);
		if (dropped == SIZE_MAX)
			return SIZE_MAX;
		all += dropped;
		t->work += (double)t->left.n;
	}
	return all;
}

/* Write bounds while they drop columns. Return true if no column is left. */
static bool
bound(struct tree *t)
{
	size_t dropped = 1;

	t->left.alive = t->node[t->depth - 1];
	for (int i = 0; i < ROUNDS && dropped > 0; i++) {
		double ms;

		if (!columns_left_any(&t->left) || bound_stages(t) == SIZE_MAX)
			return true;
		if (!game_solve(&t->game, &t->left, &t->work, t->deadline))
			return false;
		t->work += (double)t->left.n;
		dropped = columns_left_drop(&t->left, &t->game.best.worth, &ms);
		if (!t->divided && ms < t->left.target)
			t->root = fmax(t->root, ms);
		/* Always write the first bound, because it shows what is proved of an open node. */
		if (dropped > 0 || i == 0)
			write_bound(t);
		if (dropped == SIZE_MAX)
			return true;
	}
	return false;
}

enum division_by { BY_LAYERS, BY_FIRST, BY_BACKWARD, BY_BORDER };
static const char *const division_names[] = { "layers", "first", "backward", "border" };

struct certified_division {
	int stage, chunk;
	enum division_by by;
	double most;
};

/* Return the value of a column by which a division separates columns. */
static double
measure(const struct tree *t, const struct certified_division *d, int column)
{
	const struct problem *p = t->left.p;
	const struct held *held = &t->left.held[column * p->chunks + d->chunk];

	return d->by == BY_FIRST ? column_first(&t->left, column) : d->by == BY_BACKWARD ? held->recomputed :
	    p->contents.content[held->content].layers;
}

/*
 * Minimum and maximum of this value over the stage's remaining columns, and the values next to the point of division.
 */
struct certified_extent {
	double low, high, below, above;
};

static struct certified_extent
extent(const struct tree *t, const struct certified_division *d, double at)
{
	struct certified_extent e = { INFINITY, -INFINITY, -INFINITY, INFINITY };

	for (int c = 0; c < t->left.n; c++) {
		double x = t->left.alive[c] && column_stage(&t->left, c) == d->stage ? measure(t, d, c) : NAN;

		e.low = fmin(e.low, x);
		e.high = fmax(e.high, x);
		if (x <= at)
			e.below = fmax(e.below, x);
		if (x > at)
			e.above = fmin(e.above, x);
	}
	return e;
}

/* Compute mean and variance of this value over the game's solution. Return the variance. */
static double
spread(const struct tree *t, const struct certified_division *d, double *mean)
{
	double square = 0, sum = 0;

	*mean = 0;
	for (int i = 0; i < t->game.nchosen; i++) {
		double x, share = t->game.share[i];

		if (column_stage(&t->left, t->game.chosen[i]) != d->stage)
			continue;
		x = measure(t, d, t->game.chosen[i]);
		sum += share;
		*mean += share * x;
		square += share * x * x;
	}
	*mean = sum > 0 ? *mean / sum : 0;
	return sum > 0 ? square / sum - *mean * *mean : 0;
}

/*
 * Choose the piece in which the value BY varies most, divided at the mean. Return false if the value varies in no
 * piece.
 */
static bool
choose_by(const struct tree *t, enum division_by by, struct certified_division *to)
{
	const struct problem *p = t->left.p;
	double worst = 1e-6;

	for (int i = 0; i < p->pieces; i++) {
		struct certified_division d = { i % p->stages, i / p->stages, by, 0 };
		double mean, varies = spread(t, &d, &mean);
		struct certified_extent e;

		if (varies <= worst)
			continue;
		e = extent(t, &d, mean);
		if (e.low >= e.high)
			continue;
		worst = varies;
		*to = d;
		if (e.above == INFINITY)
			e = extent(t, &d, mean = (e.low + e.high) / 2);
		to->most = by == BY_BACKWARD ? (e.below + e.above) / 2 : e.below;
	}
	return worst > 1e-6;
}

/*
 * If no value varies in the solution, choose the piece with the widest range of a value. The values are first layers
 * and numbers of layers; with several chunks, numbers of layers and backward times.
 */
static bool
choose_widest(const struct tree *t, struct certified_division *to)
{
	const struct problem *p = t->left.p;
	double widest = 0;

	for (int i = 0; i < 2 * p->pieces && (p->chunks > 1 || i < 2 * p->stages); i++) {
		struct certified_division d = { i % p->stages, i / p->stages % p->chunks, BY_LAYERS, 0 };
		struct certified_extent e;

		d.by = p->chunks > 1 ? i < p->pieces ? BY_LAYERS : BY_BACKWARD : i < p->stages ? BY_FIRST : BY_LAYERS;
		e = extent(t, &d, 0);
		if (e.high - e.low <= widest)
			continue;
		widest = e.high - e.low;
		*to = d;
		e = extent(t, &d, (e.low + e.high) / 2);
		to->most = d.by == BY_BACKWARD ? (e.below + e.above) / 2 : e.below;
	}
	return widest > 0;
}

/*
 * Return the number of layers in a column that are on the wrong side of a border. These are the layers of bodies up to
 * the border in later pieces. With OTHERS they are the layers of later bodies in earlier pieces.
 */
static int
astray(const struct tree *t, const struct certified_division *d, int column, bool others)
{
	const struct problem *p = t->left.p;
	int layers = 0, place = p->position[d->chunk * p->stages + d->stage];

	for (int v = 0, piece = column_stage(&t->left, column); v < p->chunks; v++, piece += p->stages)
		for (int b = 0; b < p->net->nbodies; b++)
			if (others ? p->position[piece] <= place && b > d->most : p->position[piece] > place &&
			    b <= d->most)
				layers += p->contents.content[t->left.held[column * p->chunks + v].content].body[b];
	return layers;
}

/* With several chunks layers may be out of model order. Choose the border with the most layers on its wrong side. */
static bool
choose_border(const struct tree *t, struct certified_division *to)
{
	const struct problem *p = t->left.p;
	double worst = 1e-6;

	for (int i = 0; i < p->pieces * (p->net->nbodies - 1) && p->chunks > 1; i++) {
		int piece = i % p->pieces;
		struct certified_division d = { piece % p->stages, piece / p->stages, BY_BORDER, i / p->pieces };
		double before = 0, behind = 0;

		for (int n = 0; n < t->game.nchosen; n++) {
			before += t->game.share[n] * astray(t, &d, t->game.chosen[n], true);
			behind += t->game.share[n] * astray(t, &d, t->game.chosen[n], false);
		}
		if (fmin(before, behind) <= worst)
			continue;
		worst = fmin(before, behind);
		*to = d;
	}
	return worst > 1e-6;
}

/* Divide the last node in two. The half with the smaller values is processed next. */
static bool
divide(struct tree *t)
{
	struct certified_division d;

	if (!choose_border(t, &d) && !choose_by(t, BY_LAYERS, &d) &&
	    !(t->left.p->chunks > 1 && choose_by(t, BY_BACKWARD, &d)) && !choose_widest(t, &d))
		return false;
	fprintf(t->out, "{\"kind\":\"branch\",\"node\":%d,\"stage\":%d,", t->depth, d.stage);
	if (d.chunk > 0)
		fprintf(t->out, "\"chunk\":%d,", d.chunk);
	fprintf(t->out, "\"%s\":%.15g}\n", division_names[d.by], d.most);
	t->divided = true;
	push(t);
	memcpy(t->node[t->depth - 1], t->node[t->depth - 2], (size_t)t->left.n);
	for (int c = 0; c < t->left.n; c++)
		if (d.by == BY_BORDER)
			for (int half = 0; half < 2; half++)
				t->node[t->depth - 1 - half][c] &= astray(t, &d, c, half) == 0;
		else if (column_stage(&t->left, c) == d.stage)
			t->node[t->depth - (measure(t, &d, c) > d.most ? 1 : 2)][c] = 0;
	return true;
}

/* Make a tree that proves TARGET, and get its records in *TEXT (caller frees). Return true if the target is proved. */
static bool
attempt(const struct problem *p, const struct candidate *best, double target, double work, double deadline,
    char **text, double *root)
{
	size_t size;
	struct tree t = { .out = memstream_open(text, &size), .deadline = deadline };
	bool closed = false;

	if (target < INFINITY && target > 0 && columns_left_open(&t.left, p, target)) {
		t.game = game_new(p, t.out);
		game_begin(&t.game, best);
		push(&t);
		memset(t.node[0], 1, (size_t)t.left.n);
		while (t.depth > 0 && t.work < work && clock_left(deadline))
			if (bound(&t))
				pop(&t);
			else if (!divide(&t))
				break;
		closed = t.depth == 0;
		while (t.depth > 0)
			pop(&t);
		game_free(&t.game);
	}
	*root = t.root;
	columns_left_free(&t.left);
	free(t.node);
	memstream_close(t.out);
	return closed;
}

/* Return the certificate for a problem that needs no relaxing. */
static char *
certify_exact(const struct problem *p, const struct candidate *best, double *bound, double deadline)
{
	double now = clock_now(), low, high = *bound;
	char *text, *other;

	if (attempt(p, best, high, ALL * WORK, now + ALL * (deadline - now), &text, &low))
		return text;
	/* The whole bound was not proved, so prove as much of it as possible. */
	for (int i = 2; low > 0 && i < 2 + HALVINGS && clock_left(deadline); i++) {
		double root, target = (low + high) / 2;

		now = clock_now();
		if (attempt(p, best, target, (1 - ALL) * WORK / HALVINGS,
		    now + (deadline - now) / (2 + HALVINGS - i), &other, &root)) {
			free(text);
			text = other;
			*bound = low = target;
		} else {
			free(other);
			high = target;
		}
	}
	return text;
}

char *
certify(const struct problem *p, const struct candidate *best, double *bound, double deadline)
{
	struct relaxed_proof r;
	char *text;

	if (*bound == INFINITY || !relaxed_needed(p))
		return certify_exact(p, best, bound, deadline);
	relaxed_open(&r, p, best);
	if (*bound > r.step)
		*bound = r.step * (1 - SHORT);
	text = certify_exact(&r.problem, &r.plan, bound, deadline);
	relaxed_close(&r);
	return text;
}
