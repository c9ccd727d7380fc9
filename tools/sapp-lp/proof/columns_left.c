/* Columns left: dynamic programming over stages and layers placed. */
#include "columns_left.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/schedule/scheme.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/model/tier.h"

enum { CELLS_MAX = 1 << 25, COLUMNS_MAX = 1 << 20, TUPLES_MAX = 1 << 22 };
static const double ROUNDED = 1e-12;	/* maximum rounding of sums of some times, relative to the target */

bool
columns_left_any_order(const struct problem *p)
{
	return !schedule_scheme(p->shape.kind)->checked;
}

static size_t
state(const struct columns_left *r, int stage, int placed)
{
	return (size_t)stage * (size_t)(r->p->net->layers + 1) + (size_t)placed;
}

static size_t
cell_at(const struct columns_left *r, int stage, int placed, int layers)
{
	int begin = r->begins == 1 ? 0 : placed;

	return ((size_t)stage * (size_t)r->begins + (size_t)begin) * (size_t)r->width + (size_t)layers;
}

int
column_stage(const struct columns_left *r, int column)
{
	return r->cell[column] / r->width / r->begins;
}

int
column_first(const struct columns_left *r, int column)
{
	return r->cell[column] / r->width % r->begins;
}

int
column_layers(const struct columns_left *r, int column)
{
	return r->cell[column] % r->width;
}

static double
reaches(const struct columns_left *r)
{
	return r->target * (1 + ROUNDED);
}

/* Return whether the contents of a stage's first CHUNKS chunks keep it busy too long. */
static bool
too_busy(const struct columns_left *r, int stage, const struct held *held, int chunks)
{
	double busy = 0;

	for (int v = 0; v < chunks; v++)
		busy += held[v].forward + held[v].backward;
	return busy * r->p->micro * r->p->pace[stage] >= reaches(r);
}

static struct held
hold(const struct problem *p, int piece, int content, double backward)
{
	struct times t = piece_times(p, piece, &p->contents.content[content], &(struct mix){ .backward = backward });

	return (struct held){ content, t.forward, t.backward, backward };
}

/* Reduce the width of cells to the maximum number of layers of a column. */
static void
narrow(struct columns_left *r)
{
	int most = 0;

	for (int c = 0; c < r->n; c++)
		most = column_layers(r, c) > most ? column_layers(r, c) : most;
	for (int c = 0; c < r->n; c++)
		r->cell[c] = r->cell[c] / r->width * (most + 1) + column_layers(r, c);
	r->width = most + 1;
}

static void
add_column(struct columns_left *r, int stage, int first, const struct held *held)
{
	int layers = 0;

	if (too_busy(r, stage, held, r->p->chunks))
		return;
	for (int v = 0; v < r->p->chunks; v++)
		layers += r->p->contents.content[held[v].content].layers;
	if (layers > r->p->net->layers)
		return;
	r->cell = array_room(r->cell, (size_t)r->n, sizeof *r->cell);
	r->cell[r->n] = (int)cell_at(r, stage, first, layers);
	for (int v = 0; v < r->p->chunks; v++) {
		size_t at = (size_t)r->n * (size_t)r->p->chunks + (size_t)v;

		r->held = array_room(r->held, at, sizeof *r->held);
		r->held[at] = held[v];
	}
	r->n++;
}

/*
 * Return the least backward of the mixes that fit. If the front is thinned, return the minimum over all mixes, because
 * the checker's fronts are exact.
 */
static double
least_backward(const struct problem *p, int stage, int content)
{
	const struct pareto_front *f = contents_front(&p->contents, content);
	double least = INFINITY;

	for (int i = 0; i < f->n; i++)
		if (f->mix[i].backward < least && stage_peak(p, stage, &content, &i) <= proof_limit(p, stage))
			least = f->mix[i].backward;
	return least;
}

static void
add_runs(struct columns_left *r, int stage)
{
	const struct problem *p = r->p;
	double *least = xcalloc((size_t)p->contents.ncontents, sizeof *least);

	for (int i = 0; i <= p->net->layers; i++)
		for (int n = p->fewest[stage]; n < r->width && i + n <= p->net->layers; n++) {
			int c = piece_content(p, stage, i, n);
			struct held held;

			if (c < 0 || !piece_can_hold(p, stage, c))
				continue;
			if (least[c] == 0)
				least[c] = r->any_order ? p->contents.content[c].backward : least_backward(p, stage, c);
			held = hold(p, stage, c, least[c]);
			if (least[c] < INFINITY)
				add_column(r, stage, i, &held);
		}
	free(least);
}

/* Return whether a piece with content ONE may precede a piece with content OTHER. */
static bool
stands_before(const struct problem *p, int one, int other)
{
	const int *a = p->contents.content[one].body, *b = p->contents.content[other].body;
	int last = -1, first = p->net->nbodies;

	for (int i = 0; i < p->net->nbodies; i++) {
		last = a[i] > 0 ? i : last;
		first = b[i] > 0 && first == p->net->nbodies ? i : first;
	}
	return last < first || (last == first && a[last] + b[first] <= p->net->body[last].layers);
}

struct tuples {			/* contents of all chunks of a stage */
	int stage;
	int *content;
	struct held *held;
	struct settings_cache settings;
	long tried;
};

static void
add_settings(struct columns_left *r, struct tuples *t)
{
	const struct problem *p = r->p;
	const struct stage_settings *s;

	if (r->any_order) {
		for (int v = 0; v < p->chunks; v++)
			t->held[v] = hold(p, v * p->stages + t->stage, t->content[v],
			    p->contents.content[t->content[v]].backward);
		add_column(r, t->stage, 0, t->held);
		return;
	}
	s = settings_cache_get(&t->settings, t->stage, t->content);

	if (s->n == 0 && !s->complete)
		t->tried = TUPLES_MAX;
	for (int i = 0; i < s->n; i++) {
		for (int v = 0; v < p->chunks; v++)
			t->held[v] = hold(p, v * p->stages + t->stage, t->content[v], s->backward[i * p->chunks + v]);
		add_column(r, t->stage, 0, t->held);
	}
}

static void
add_tuples(struct columns_left *r, struct tuples *t, int chunk)
{
	const struct problem *p = r->p;
	int piece = chunk * p->stages + t->stage;

	if (chunk == p->chunks) {
		add_settings(r, t);
		return;
	}
	for (int c = 0; c < p->contents.ncontents && r->n < COLUMNS_MAX && t->tried++ < TUPLES_MAX; c++) {
		const struct content *k = &p->contents.content[c];
		bool good = k->tier == p->tier[t->stage] && k->layers >= p->fewest[piece] &&
		    (p->block.end == p->block.first || piece_can_hold(p, piece, c));

		for (int v = 0; v < chunk && good; v++)
			good = stands_before(p, t->content[v], c);
		t->content[chunk] = c;
		for (int v = 0; v <= chunk && good; v++)
			t->held[v] = hold(p, v * p->stages + t->stage, t->content[v],
			    p->contents.content[t->content[v]].backward);
		if (good && !too_busy(r, t->stage, t->held, chunk + 1))
			add_tuples(r, t, chunk + 1);
	}
}

/* List the tuples of all stages. Return false if the tuples are too many. */
static bool
list_tuples(struct columns_left *r)
{
	const struct problem *p = r->p;
	struct tuples t = { .settings = settings_cache_new(p, true) };

	t.content = xcalloc((size_t)p->chunks, sizeof *t.content);
	t.held = xcalloc((size_t)p->chunks, sizeof *t.held);
	for (t.stage = 0; t.stage < p->stages; t.stage++)
		add_tuples(r, &t, 0);
	settings_cache_free(&t.settings);
	free(t.content);
	free(t.held);
	return r->n < COLUMNS_MAX && t.tried < TUPLES_MAX;
}

bool
columns_left_open(struct columns_left *r, const struct problem *p, double target)
{
	size_t states = (size_t)(p->stages + 1) * (size_t)(p->net->layers + 1), cells;

	*r = (struct columns_left){ .p = p, .target = target, .any_order = columns_left_any_order(p) };
	r->begins = p->chunks == 1 ? p->net->layers + 1 : 1;
	r->width = (p->chunks == 1 ? p->contents.most : p->net->layers) + 1;
	cells = cell_at(r, p->stages, 0, 0);
	if (cells > CELLS_MAX)
		return false;
	for (int s = 0; s < p->stages && p->chunks == 1; s++)
		add_runs(r, s);
	if (p->chunks > 1 && !list_tuples(r))
		return false;
	narrow(r);
	cells = cell_at(r, p->stages, 0, 0);
	r->cost = xcalloc((size_t)r->n, sizeof *r->cost);
	r->least = xcalloc(cells, sizeof *r->least);
	r->around = xcalloc(cells, sizeof *r->around);
	r->before = xcalloc(states, sizeof *r->before);
	r->after = xcalloc(states, sizeof *r->after);
	return true;
}

void
columns_left_free(struct columns_left *r)
{
	free(r->cell);
	free(r->held);
	free(r->cost);
	free(r->least);
	free(r->around);
	free(r->before);
	free(r->after);
}

double
column_cost(const struct columns_left *r, int column, const struct worth *w)
{
	const struct problem *p = r->p;
	const struct held *held = &r->held[column * p->chunks];
	int piece = column_stage(r, column);
	double sum = 0;

	for (int v = 0; v < p->chunks; v++, piece += p->stages) {
		sum += w->forward[piece] * held[v].forward + w->backward[piece] * held[v].backward;
		for (int b = 0; b < p->net->nbodies; b++)
			sum -= w->price[b] * p->contents.content[held[v].content].body[b];
	}
	return sum;
}

static void
lower(double *least, double x)
{
	*least = x < *least ? x : *least;
}

/* Compute least[] over the columns of each cell. */
static void
set_least(struct columns_left *r)
{
	for (size_t i = 0; i < cell_at(r, r->p->stages, 0, 0); i++)
		r->least[i] = r->around[i] = INFINITY;
	for (int c = 0; c < r->n; c++)
		if (r->alive[c])
			lower(&r->least[r->cell[c]], r->cost[c]);
}

/*
 * Compute before[] and after[] of the costs. Then compute around[], the least cost of the rest of a layout, for each
 * cell.
 */
static void
sweep(struct columns_left *r)
{
	const struct problem *p = r->p;
	int layers = p->net->layers;

	set_least(r);
	for (size_t i = 0; i < (size_t)(p->stages + 1) * (size_t)(layers + 1); i++)
		r->before[i] = r->after[i] = INFINITY;
	r->before[0] = r->after[state(r, p->stages, layers)] = 0;
	for (int turn = 0; turn < 3 * p->stages; turn++) {
		/* Turns run forward from the first stage, then back from the last, then over all stages. */
		int s = turn / p->stages == 1 ? 2 * p->stages - 1 - turn : turn % p->stages;

		for (int i = 0; i <= layers; i++) {
			double *before = &r->before[state(r, s, i)], *after = &r->after[state(r, s, i)];
			double *next = &r->before[state(r, s + 1, i)], *behind = &r->after[state(r, s + 1, i)];
			double *least = &r->least[cell_at(r, s, i, 0)];
			int most = layers - i < r->width - 1 ? layers - i : r->width - 1;

			if (*before == INFINITY)
				continue;
			for (int n = 0; n <= most && turn < p->stages; n++)
				lower(&next[n], *before + least[n]);
			for (int n = 0; n <= most && turn / p->stages == 1; n++)
				lower(after, behind[n] + least[n]);
			for (int n = 0; n <= most && turn / p->stages == 2; n++)
				lower(&r->around[cell_at(r, s, i, n)], *before + behind[n]);
		}
	}
}

/* Drop the columns with which every layout costs at least ROOM. Return the number dropped. */
static size_t
drop(struct columns_left *r, double room)
{
	size_t dropped = 0;

	sweep(r);
	for (int c = 0; c < r->n; c++)
		if (r->alive[c] && !(r->cost[c] + r->around[r->cell[c]] < room)) {
			r->alive[c] = 0;
			dropped++;
		}
	return dropped;
}

size_t
columns_left_drop(struct columns_left *r, const struct worth *w, double *ms)
{
	size_t dropped;

	for (int c = 0; c < r->n; c++)
		r->cost[c] = r->alive[c] ? column_cost(r, c, w) : 0;
	dropped = drop(r, reaches(r) - w->delay);
	*ms = r->before[state(r, r->p->stages, r->p->net->layers)] + w->delay;
	return *ms >= reaches(r) || !columns_left_any(r) ? SIZE_MAX : dropped;
}

bool
columns_left_any(struct columns_left *r)
{
	for (int c = 0; c < r->n; c++)
		r->cost[c] = 0;
	drop(r, INFINITY);
	return r->before[state(r, r->p->stages, r->p->net->layers)] < INFINITY;
}
