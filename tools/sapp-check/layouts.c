/* Layouts: dynamic programming over stages and layers placed. */
#include "layouts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum { CELLS_MAX = 1 << 25 };

static size_t
state(const struct layouts *l, int stage, int placed)
{
	return (size_t)stage * (size_t)(l->question->layers + 1) + (size_t)placed;
}

static size_t
cell_at(const struct layouts *l, int stage, int placed, int layers)
{
	const struct columns *c = &l->columns;
	int begin = c->begins == 1 ? 0 : placed;

	return ((size_t)stage * (size_t)c->begins + (size_t)begin) * (size_t)c->contents.width + (size_t)layers;
}

static size_t
cells(const struct layouts *l)
{
	return cell_at(l, l->question->asked->stages, 0, 0);
}

static size_t
states(const struct layouts *l)
{
	return state(l, l->question->asked->stages + 1, 0);
}

static mpz_t *
numbers_new(size_t n)
{
	mpz_t *at = xcalloc(n, sizeof *at);

	for (size_t i = 0; i < n; i++)
		mpz_init(at[i]);
	return at;
}

static void
numbers_free(mpz_t *at, size_t n)
{
	for (size_t i = 0; i < n && at != NULL; i++)
		mpz_clear(at[i]);
	free(at);
}

bool
layouts_open(struct layouts *l, const struct check_question *q)
{
	*l = (struct layouts){ .question = q };
	if (!columns_open(&l->columns, q) || cells(l) > CELLS_MAX)
		return false;
	l->cost = numbers_new((size_t)l->columns.nhold);
	l->least = numbers_new(cells(l));
	l->is = xcalloc(cells(l), sizeof *l->is);
	l->before = numbers_new(states(l));
	l->after = numbers_new(states(l));
	l->reached = xcalloc(states(l), sizeof *l->reached);
	l->reaches = xcalloc(states(l), sizeof *l->reaches);
	return true;
}

void
layouts_free(struct layouts *l)
{
	numbers_free(l->cost, (size_t)l->columns.nhold);
	numbers_free(l->least, cells(l));
	numbers_free(l->before, states(l));
	numbers_free(l->after, states(l));
	free(l->is);
	free(l->reached);
	free(l->reaches);
	columns_free(&l->columns);
}

static void
column_cost(const struct layouts *l, int column, mpz_t sum)
{
	int chunks = l->question->chunks;
	const int *hold = &l->columns.holds[column * chunks];

	mpz_set(sum, l->cost[hold[0]]);
	for (int v = 1; v < chunks; v++)
		mpz_add(sum, sum, l->cost[hold[v]]);
}

/* Compute is[] and least[] of the cells' columns. */
static void
set_least(struct layouts *l, const unsigned char *alive)
{
	mpz_t sum;

	mpz_init(sum);
	memset(l->is, 0, cells(l) * sizeof *l->is);
	for (int c = 0; c < l->columns.n; c++) {
		int cell = l->columns.cell[c];

		if (!alive[c])
			continue;
		column_cost(l, c, sum);
		if (!l->is[cell] || mpz_cmp(sum, l->least[cell]) < 0)
			mpz_set(l->least[cell], sum);
		l->is[cell] = true;
	}
	mpz_clear(sum);
}

/* Compute before[] and reached[], or after[] and reaches[], from the cells of a stage. */
static void
sweep_stage(struct layouts *l, int stage, bool on)
{
	mpz_t *sums = on ? l->before : l->after, sum;
	bool *is = on ? l->reached : l->reaches;

	mpz_init(sum);
	for (int i = 0; i <= l->question->layers; i++)
		for (int n = 0; n < l->columns.contents.width && i + n <= l->question->layers; n++) {
			size_t here = state(l, stage, i), next = state(l, stage + 1, i + n);
			size_t from = on ? here : next, to = on ? next : here, cell = cell_at(l, stage, i, n);

			if (!is[from] || !l->is[cell] || (!on && !l->reached[here]))
				continue;
			mpz_add(sum, sums[from], l->least[cell]);
			if (!is[to] || mpz_cmp(sum, sums[to]) < 0)
				mpz_set(sums[to], sum);
			is[to] = true;
		}
	mpz_clear(sum);
}

static void
sweep(struct layouts *l)
{
	int stages = l->question->asked->stages;
	size_t end = state(l, stages, l->question->layers);

	memset(l->reached, 0, states(l) * sizeof *l->reached);
	memset(l->reaches, 0, states(l) * sizeof *l->reaches);
	l->reached[0] = l->reaches[end] = true;
	mpz_set_si(l->before[0], 0);
	mpz_set_si(l->after[end], 0);
	for (int s = 0; s < stages; s++)
		sweep_stage(l, s, true);
	for (int s = stages - 1; s >= 0; s--)
		sweep_stage(l, s, false);
}

/*
 * Replace is[] and least[] by those of the rest of a layout around each cell's columns: all layouts through the cell,
 * without the cell itself.
 */
static void
set_around(struct layouts *l)
{
	mpz_t sum;

	mpz_init(sum);
	memset(l->is, 0, cells(l) * sizeof *l->is);
	for (int s = 0; s < l->question->asked->stages; s++)
		for (int i = 0; i <= l->question->layers; i++)
			for (int n = 0; n < l->columns.contents.width && i + n <= l->question->layers; n++) {
				size_t from = state(l, s, i), to = state(l, s + 1, i + n), cell = cell_at(l, s, i, n);

				if (!l->reached[from] || !l->reaches[to])
					continue;
				mpz_add(sum, l->before[from], l->after[to]);
				if (!l->is[cell] || mpz_cmp(sum, l->least[cell]) < 0)
					mpz_set(l->least[cell], sum);
				l->is[cell] = true;
			}
	mpz_clear(sum);
}

/* Compute the sum of the mean for each hold, and in BESIDES the part that is the same for all layouts. */
static void
set_costs(struct layouts *l, const struct mean_of_paths *m, mpz_srcptr weights, mpz_t besides)
{
	const struct check_question *q = l->question;
	mpz_t *visits = numbers_new(2 * (size_t)q->pieces + (size_t)q->asked->stages), part;
	mpz_t *backwards = visits + q->pieces, *crossings = backwards + q->pieces;
	mpz_t *price = numbers_new((size_t)q->nbodies);
	mpq_t worth;

	mpz_init(part);
	mpq_init(worth);
	mpz_set_si(besides, 0);
	for (int i = 0; i < m->n; i++) {
		const struct layout_path *p = m->path[i];
		unsigned long weight = (unsigned long)m->weight[i];

		mpz_addmul_ui(besides, ledger_at(&q->ms, q->late[p->last]), weight);
		for (int s = 0; s < q->pieces; s++) {
			mpz_set_si(part, p->forwards[s]);
			mpz_addmul_ui(visits[s], part, weight);
			mpz_set_si(part, p->backwards[s]);
			mpz_addmul_ui(backwards[s], part, weight);
		}
		for (int s = 0; s < q->asked->stages; s++) {
			mpz_set_si(part, p->crossings[s]);
			mpz_addmul_ui(crossings[s], part, weight);
		}
	}
	for (int s = 0; s < q->asked->stages; s++)
		mpz_addmul(besides, crossings[s], ledger_at(&q->ms, q->delay[s]));
	mpz_mul(besides, besides, q->pace.parts);
	/*
	 * Round prices to multiples of the part. Any value is valid, because the same amount is subtracted and added.
	 */
	for (int b = 0; b < q->nbodies && m->price != NULL; b++) {
		mpq_set_d(worth, m->price[b]);
		mpz_mul(part, q->ms.parts, q->pace.parts);
		mpz_mul(part, part, weights);
		mpz_mul(part, part, mpq_numref(worth));
		mpz_fdiv_q(price[b], part, mpq_denref(worth));
		mpz_mul_si(part, price[b], q->body[b].layers);
		mpz_add(besides, besides, part);
	}
	for (int h = 0; h < l->columns.nhold; h++) {
		const struct hold *at = &l->columns.hold[h];

		mpz_mul(l->cost[h], at->forward, visits[at->piece]);
		mpz_addmul(l->cost[h], at->backward, backwards[at->piece]);
		for (int b = 0; b < q->nbodies && m->price != NULL; b++)
			mpz_submul_ui(l->cost[h], price[b],
			    (unsigned long)l->columns.contents.at[at->content].count[b]);
	}
	numbers_free(visits, 2 * (size_t)q->pieces + (size_t)q->asked->stages);
	numbers_free(price, (size_t)q->nbodies);
	mpz_clear(part);
	mpq_clear(worth);
}

bool
layouts_drop(struct layouts *l, unsigned char *alive, const struct mean_of_paths *m, mpq_t least)
{
	size_t end = state(l, l->question->asked->stages, l->question->layers);
	mpz_t weights, room, sum;

	mpz_inits(weights, room, sum, NULL);
	for (int i = 0; i < m->n; i++)
		mpz_add_ui(weights, weights, (unsigned long)m->weight[i]);
	set_costs(l, m, weights, room);
	set_least(l, alive);
	sweep(l);
	set_around(l);
	mpz_add(mpq_numref(least), l->before[end], room);
	mpz_set(mpq_denref(least), weights);
	mpq_canonicalize(least);
	/* The total of a layout must be below this. */
	mpz_mul(weights, weights, l->columns.claim);
	mpz_sub(room, weights, room);
	for (int c = 0; c < l->columns.n; c++) {
		int cell = l->columns.cell[c];

		if (!alive[c] || !l->is[cell]) {
			alive[c] = false;
			continue;
		}
		column_cost(l, c, sum);
		mpz_add(sum, sum, l->least[cell]);
		alive[c] = mpz_cmp(sum, room) < 0;
	}
	mpz_clears(weights, room, sum, NULL);
	return layouts_any(l, alive);
}

bool
layouts_any(struct layouts *l, unsigned char *alive)
{
	bool any = false;

	for (int h = 0; h < l->columns.nhold; h++)
		mpz_set_si(l->cost[h], 0);
	set_least(l, alive);
	sweep(l);
	set_around(l);
	for (int c = 0; c < l->columns.n; c++) {
		alive[c] &= l->is[l->columns.cell[c]];
		any |= alive[c];
	}
	return any;
}

/* Return whether the value of a column by which a branch divides is above MOST. */
static bool
is_above(const struct layouts *l, int column, int chunk, enum division_by by, double most)
{
	const struct columns *c = &l->columns;
	const struct hold *h = &c->hold[c->holds[column * l->question->chunks + chunk]];
	mpq_t ms, limit;
	bool above;

	if (by == BY_FIRST)
		return c->cell[column] / c->contents.width % c->begins > most;
	if (by == BY_LAYERS)
		return c->contents.at[h->content].layers > most;
	mpq_inits(ms, limit, NULL);
	mpq_set_num(ms, h->recomputed);
	mpq_set_den(ms, l->question->ms.parts);
	mpq_canonicalize(ms);
	mpq_set_d(limit, most);
	above = mpq_cmp(ms, limit) > 0;
	mpq_clears(ms, limit, NULL);
	return above;
}

/*
 * Return whether all layers of bodies up to BODY are in pieces up to PLACE. BEHIND: whether all other layers are in
 * later pieces.
 */
static bool
keeps_border(const struct layouts *l, int column, int place, int body, bool behind)
{
	const struct columns *c = &l->columns;

	for (int v = 0; v < l->question->chunks; v++) {
		const struct hold *h = &c->hold[c->holds[column * l->question->chunks + v]];
		int stages = l->question->asked->stages;
		int at = question_position(l->question, h->piece % stages, h->piece / stages);

		for (int b = 0; b < l->question->nbodies; b++)
			if (c->contents.at[h->content].count[b] > 0 &&
			    (behind ? at <= place && b > body : at > place && b <= body))
				return false;
	}
	return true;
}

void
layouts_keep(const struct layouts *l, unsigned char *alive, int stage, int chunk, enum division_by by, double most,
    bool above)
{
	const struct columns *c = &l->columns;

	for (int i = 0; i < c->n; i++)
		if (alive[i] && by == BY_BORDER)
			alive[i] = keeps_border(l, i, question_position(l->question, stage, chunk), (int)most,
			    above);
		else if (alive[i] && c->cell[i] / c->contents.width / c->begins == stage)
			alive[i] = is_above(l, i, chunk, by, most) == above;
}
