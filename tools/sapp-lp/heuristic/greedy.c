/* Greedy: fills pieces in model order, with bisection over the time or memory that a piece may take. */
#include "greedy.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/model/least_memory.h"
#include "sapp-lp/model/tier.h"

enum {
	TIME_HALVINGS = 30,
	MEMORY_HALVINGS = 100,
	UNTIMED = 1000000,	/* bodies tried before the clock is checked, some 10 ms */
};
static const double CLOSE = 1e-8;	/* MB, interval at which the bisection of the raise ends */

/* Borders between layers that pieces filled in order can reach. They are ascending runs with gaps between them. */
struct borders {
	int n, room;
	struct border_run {
		int low, high;	/* first and last number of layers before the border */
	} *run;
};

struct greedy {
	const struct problem *p;
	/* [pieces], live micro-batches in the fullest row of the piece's stage, and micro-batches that wait for W */
	int *live, *held;
	double *share;		/* [pieces], fraction of its stage's memory */
	struct borders *before;	/* [pieces + 1], borders at which piece n may begin */
	double raise;		/* MB, added to every limit */
	double most;		/* ms per micro-batch, maximum of a piece; INFINITY: no maximum */
	long work;		/* number of bodies examined */
};

/*
 * Return the MB of a fully recomputed layer, mean over the model, with LIVE micro-batches, and HELD micro-batches that
 * wait for W.
 */
static double
mean_memory(const struct problem *p, int live, int held)
{
	double sum = 0;

	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->net->body[b];

		sum += body->layers * (body->parameter + live * body_least_activation(body) + held * body->kept);
	}
	return sum / p->net->layers;
}

/* Return the row of a stage that needs the most memory with mean layers. */
static int
busiest_row(const struct problem *p, int stage)
{
	const struct rows *rows = &p->evaluator.rows[stage];
	double highest = -1;
	int busiest = 0;

	for (int r = 0; r < rows->n; r++) {
		double all = 0;

		for (int v = 0; v < p->chunks; v++) {
			int i = r * p->chunks + v;

			all += p->net->keeps ? mean_memory(p, rows->live[i], rows->held[i]) : rows->live[i];
		}
		if (all > highest) {
			highest = all;
			busiest = r;
		}
	}
	return busiest;
}

static struct greedy
greedy_new(const struct problem *p)
{
	struct greedy d = { .p = p, .most = INFINITY, .live = xcalloc((size_t)p->pieces, sizeof *d.live),
		.held = xcalloc((size_t)p->pieces, sizeof *d.held),
		.share = xcalloc((size_t)p->pieces, sizeof *d.share),
		.before = xcalloc((size_t)p->pieces + 1, sizeof *d.before) };

	for (int s = 0; s < p->stages; s++) {
		const struct rows *rows = &p->evaluator.rows[s];
		double sum = 0, each[p->chunks];
		int busiest = busiest_row(p, s);

		for (int v = 0; v < p->chunks; v++) {
			int i = v * p->stages + s;

			d.live[i] = rows->n > 0 ? rows->live[busiest * p->chunks + v] : 0;
			d.held[i] = rows->n > 0 && p->net->keeps ? rows->held[busiest * p->chunks + v] : 0;
			sum += each[v] = mean_memory(p, d.live[i], d.held[i]);
		}
		for (int v = 0; v < p->chunks; v++)
			d.share[v * p->stages + s] = sum > 0 ? each[v] / sum : 1.0 / p->chunks;
	}
	return d;
}

static void
greedy_free(struct greedy *d)
{
	for (int n = 0; n <= d->p->pieces; n++)
		free(d->before[n].run);
	free(d->before);
	free(d->live);
	free(d->held);
	free(d->share);
}

static double
room_of(const struct greedy *d, int piece)
{
	int stage = piece % d->p->stages;

	return d->share[piece] * (d->p->limit[stage] + d->raise - stage_ends(d->p, stage));
}

/*
 * Return whether a lower bound on the time per micro-batch of a content in a piece is at most d->most. The bound
 * relaxes memory by a Lagrange multiplier (Everett 1963). A few multipliers are tried.
 */
static bool
quick(struct greedy *d, int piece, int content)
{
	const struct problem *p = d->p;
	const struct content *c = &p->contents.content[content];
	const struct mix none = { 0 };
	struct times t = piece_times(p, piece, c, &none);
	double room = room_of(d, piece) - c->parameter - d->held[piece] * c->kept - piece_transient(p, piece, c),
	    unit = room > 0 ? c->backward / room : 0;
	double fixed = t.forward + t.backward, most = d->most / p->pace[piece % p->stages];
	bool fits = fixed + c->backward <= most;

	for (double each = unit / 64; each < 8 * unit && fits; each *= 1.5, d->work += p->net->nbodies)
		fits = fixed + contents_least(&p->contents, content,
		    (struct rates){ .mb = each * d->live[piece], .ms = 1 }) - each * room <= most;
	return fits;
}

/*
 * Return the MB of a piece with everything recomputed. The result is exact if no other piece is alive at the stage's
 * worst moment, otherwise approximate.
 */
static double
memory(const struct greedy *d, int piece, int content)
{
	const struct rows *rows = &d->p->evaluator.rows[piece % d->p->stages];
	const struct content *c = &d->p->contents.content[content];
	double most = rows->other ?
	    c->floor - c->parameter - d->share[piece] * stage_ends(d->p, piece % d->p->stages) : 0;
	double transient = piece_transient(d->p, piece, c);

	if (d->p->chunks == 1 && d->p->least != NULL)
		return stage_memory_floor(d->p, piece, &content) - stage_ends(d->p, piece);
	if (d->p->chunks > 1 || !(d->p->transient || d->p->net->keeps))
		return c->parameter + fmax(most, d->live[piece] * c->activation + d->held[piece] * c->kept + transient);
	for (int r = 0; r < rows->n; r++)
		most = fmax(most, rows->live[r] * c->activation + rows->held[r] * c->kept +
		    rows->running[r] * transient);
	return c->parameter + most;
}

static bool
takes(struct greedy *d, int piece, int first, int layers)
{
	int content = piece_content(d->p, piece, first, layers);

	return content >= 0 && memory(d, piece, content) <= room_of(d, piece) + MEMORY_SLACK / 2 &&
	    (d->most == INFINITY || quick(d, piece, content));
}

/* Return whether a piece may be empty. */
static bool
can_be_empty(struct greedy *d, int piece)
{
	return d->p->fewest[piece] == 0 && takes(d, piece, 0, 0);
}

static void
borders_add(struct borders *l, int low, int high)
{
	if (l->n > 0 && low <= l->run[l->n - 1].high + 1) {
		l->run[l->n - 1].high = high > l->run[l->n - 1].high ? high : l->run[l->n - 1].high;
		return;
	}
	if (l->n == l->room) {
		l->room = 2 * l->room + 1;
		l->run = xreallocarray(l->run, (size_t)l->room, sizeof *l->run);
	}
	l->run[l->n++] = (struct border_run){ low, high };
}

/* Return the farthest end, at most END, of a piece that begins at BORDER. */
static int
farthest(struct greedy *d, int piece, int border, int end)
{
	int low = 1, high = end - border < d->p->contents.most ? end - border : d->p->contents.most;

	while (low < high) {
		int middle = (low + high + 1) / 2;

		if (takes(d, piece, border, middle))
			low = middle;
		else
			high = middle - 1;
	}
	return border + low;
}

/* Drop the borders at which piece N may not begin. */
static void
keep_borders(const struct problem *p, struct borders *l, int n)
{
	struct borders all = *l;

	*l = (struct borders){ .room = 0 };
	for (int i = 0; i < all.n; i++)
		for (int at = all.run[i].low; at <= all.run[i].high; at++)
			if (problem_border(p, n, at))
				borders_add(l, at, at);
	free(all.run);
}

/*
 * Compute the possible ends of piece N. Every part of a feasible run is feasible. So a piece that may begin at any
 * border of a run can end at every border up to the farthest. The farthest end is reached from the last border of the
 * run. Gaps occur only if a single layer of some kind does not fit.
 */
static void
advance(struct greedy *d, int n)
{
	const struct problem *p = d->p;
	const struct borders *from = &d->before[n];
	struct borders *to = &d->before[n + 1];
	/* Leave the minimum number of layers for every later piece. */
	int piece = p->piece[n], end = p->net->layers - needed_behind(p, n);
	bool empty = can_be_empty(d, piece);

	to->n = 0;
	for (int i = 0; i < from->n; i++) {
		int low = -1, high = -1, first = 0;

		if (empty)
			borders_add(to, from->run[i].low, from->run[i].high);
		for (int b = 0; b < p->net->nbodies; b++) {
			int begin = from->run[i].low > first ? from->run[i].low : first;
			int last = first + p->net->body[b].layers - 1;

			first = last + 1;
			last = from->run[i].high < last ? from->run[i].high : last;
			last = last < end - 1 ? last : end - 1;
			if (begin > last)
				continue;
			if (takes(d, piece, begin, 1)) {
				low = low < 0 ? begin : low;
				high = last;
			} else if (low >= 0) {
				borders_add(to, low + 1, farthest(d, piece, high, end));
				low = -1;
			}
		}
		if (low >= 0)
			borders_add(to, low + 1, farthest(d, piece, high, end));
	}
	if (p->block.end > p->block.first || p->net->at_ends)
		keep_borders(p, to, n + 1);
}

static bool
is_border(const struct borders *l, int border)
{
	for (int i = 0; i < l->n; i++)
		if (border >= l->run[i].low && border <= l->run[i].high)
			return true;
	return false;
}

/*
 * Return the last border before END. If a piece that begins at some border can take all layers up to END, it can also
 * begin at the last border.
 */
static int
last_border(const struct borders *from, int end)
{
	int i = from->n - 1;

	while (from->run[i].low >= end)
		i--;
	return from->run[i].high < end ? from->run[i].high : end - 1;
}

/* Place every layer, as many as possible in the first pieces. Return false if that is impossible. */
static bool
run(struct greedy *d, int *layers)
{
	const struct problem *p = d->p;
	int end = p->net->layers;

	d->before[0].n = 0;
	borders_add(&d->before[0], 0, 0);
	for (int n = 0; n < p->pieces; n++)
		advance(d, n);
	if (d->before[p->pieces].n == 0 || d->before[p->pieces].run[d->before[p->pieces].n - 1].high < end)
		return false;
	for (int n = p->pieces - 1; n >= 0; n--) {
		bool empty = can_be_empty(d, p->piece[n]) && is_border(&d->before[n], end);
		int border = empty ? end : last_border(&d->before[n], end);

		layers[p->piece[n]] = end - border;
		end = border;
	}
	return true;
}

double
greedy_memory(const struct problem *p, int *layers)
{
	struct greedy d = greedy_new(p);
	double low = 0, high = 1;

	for (int s = 0; s < p->stages; s++)
		low = fmin(low, -p->limit[s]);
	for (d.raise = high; !run(&d, layers); d.raise = high *= 2)
		if (high == INFINITY) {
			greedy_free(&d);
			return INFINITY;
		}
	for (int i = 0; i < MEMORY_HALVINGS && high - low > CLOSE; i++) {
		d.raise = (low + high) / 2;
		if (run(&d, layers))
			high = d.raise;
		else
			low = d.raise;
	}
	d.raise = high;
	run(&d, layers);
	greedy_free(&d);
	return high;
}

bool
greedy_time(const struct problem *p, double deadline, int *layers)
{
	struct greedy d = greedy_new(p);
	double low = 0, high = p->net->head.forward + p->net->head.backward + p->net->tail.forward +
	    p->net->tail.backward, pace = 0;
	bool fits = run(&d, layers);

	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->net->body[b];
		double slowest = 0;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (body->has[k])
				slowest = fmax(slowest, body->backward[k]);
		high += body->layers * (body->forward + slowest);
	}
	for (int s = 0; s < p->stages; s++)
		pace = fmax(pace, p->pace[s]);
	high *= pace;
	for (int i = 0; i < TIME_HALVINGS && fits && (d.work < UNTIMED || clock_left(deadline)); i++) {
		d.most = (low + high) / 2;
		if (run(&d, layers))
			high = d.most;
		else
			low = d.most;
	}
	d.most = high;
	fits = fits && run(&d, layers);
	greedy_free(&d);
	return fits;
}
