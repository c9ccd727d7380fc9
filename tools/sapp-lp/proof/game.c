/* Game: the programme is solved repeatedly, each time with the longest path of its solution added. */
#include "game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "lib/linear/tableau.h"
#include "sapp-lp/model/tier.h"

enum { ROUNDS = 400, UNIT = 1000000000 };	/* UNIT: denominator of integer weights */
static const double CLOSE = 1e-9, SLOWER[] = { 1.5, 64 };

static struct worth
worth_new(const struct problem *p)
{
	size_t n = (size_t)p->pieces;

	return (struct worth){ xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double)),
		xcalloc((size_t)p->net->nbodies, sizeof(double)), 0 };
}

static void
worth_free(struct worth *w)
{
	free(w->forward);
	free(w->backward);
	free(w->price);
}

struct game
game_new(const struct problem *p, FILE *out)
{
	struct game g = { .p = p, .out = out, .longest = longest_new(p) };

	g.loads = columns_left_any_order(p);
	g.cost = xcalloc((size_t)p->evaluator.slots, sizeof *g.cost);
	g.best.worth = worth_new(p);
	return g;
}

void
game_free(struct game *g)
{
	for (int i = 0; i < g->npaths; i++)
		worth_free(&g->path[i].worth);
	longest_free(&g->longest);
	worth_free(&g->best.worth);
	free(g->cost);
	free(g->path);
	free(g->active);
	free(g->chosen);
	free(g->share);
	free(g->best.path);
	free(g->best.weight);
}

/* Return the worth of the path found last. */
static struct worth
worth_of(const struct game *g)
{
	const struct problem *p = g->p;
	const struct evaluator *e = &p->evaluator;
	struct worth w = worth_new(p);

	for (int i = 0; i < g->longest.nsteps; i++) {
		const struct step *s = &g->longest.step[i];

		for (int n = s->first; n <= s->last; n++) {
			int slot = e->operation[longest_operation(&g->longest, s->stage, n)].slot;

			(slot < p->pieces ? w.forward : w.backward)[slot % p->pieces] += p->pace[s->stage];
		}
		if (i > 0)
			w.delay += e->delay[e->edge[longest_operation(&g->longest, s->stage, s->first)]];
	}
	return w;
}

/* Return the number of the path found last. Write the path if it is new. */
static int
path_number(struct game *g)
{
	const struct longest *c = &g->longest;
	uint64_t key = hash_begin(0);

	for (int i = 0; i < c->nsteps; i++)
		key = hash_add(hash_add(hash_add(key, (uint64_t)c->step[i].stage), (uint64_t)c->step[i].first),
		    (uint64_t)c->step[i].last);
	for (int i = 0; i < g->npaths; i++)
		if (g->path[i].key == key)
			return i;
	*APPEND(g->path, g->npaths) = (struct game_path){ worth_of(g), key };
	for (int i = 0; i < c->nsteps; i++)
		fprintf(g->out, "%s[%d,%d,%d]", i > 0 ? "," : "{\"kind\":\"path\",\"steps\":[", c->step[i].stage,
		    c->step[i].first, c->step[i].last);
	fprintf(g->out, "]}\n");
	return g->npaths - 1;
}

/* Return the number of the path that is a stage's load. sapp-check(1) accepts this path for any order of operations. */
static int
load_number(struct game *g, int stage)
{
	const struct problem *p = g->p;
	struct worth w = worth_new(p);

	for (int v = 0; v < p->chunks; v++)
		w.forward[v * p->stages + stage] = w.backward[v * p->stages + stage] = p->micro * p->pace[stage];
	for (int s = 0; s < stage; s++)
		w.forward[s] += p->pace[s];
	*APPEND(g->path, g->npaths) = (struct game_path){ w, hash_add(hash_begin(1), (uint64_t)stage) };
	fprintf(g->out, "{\"kind\":\"load\",\"stage\":%d}\n", stage);
	return g->npaths - 1;
}

/* Make a path active. Return false if it is active already. */
static bool
activate(struct game *g, int path)
{
	for (int i = 0; i < g->nactive; i++)
		if (g->active[i] == path)
			return false;
	*APPEND(g->active, g->nactive) = path;
	return true;
}

void
game_begin(struct game *g, const struct candidate *plan)
{
	const struct problem *p = g->p;

	for (int s = 0; s < p->stages && g->loads; s++)
		activate(g, load_number(g, s));
	for (int n = -1; n < 2 * p->stages && !g->loads; n++) {
		candidate_costs(p, plan, g->cost);
		for (int i = n / 2; n >= 0 && i < p->evaluator.slots - 1; i += p->stages)
			g->cost[i] *= SLOWER[n % 2];
		longest_find(&g->longest, g->cost);
		activate(g, path_number(g));
	}
	g->first = g->npaths;
}

struct game_programme {
	struct tableau *lp;
	const struct columns_left *left;
	int n, *column;		/* [n], indices of the columns in the programme, which numbers them from 1 */
	char *inside;		/* [columns], whether the programme has the column */
	double *value;		/* scratch, for a row or a column */
	double *least;		/* [stages][width], scratch */
	int *which;		/* [stages][width], column of this cost; scratch */
};

/*
 * Add the row of a path: the step time, as a multiple of the target, is at least the path's length under the chosen
 * columns.
 */
static void
add_path_row(struct game_programme *m, const struct worth *w)
{
	m->value[0] = 1;
	for (int i = 0; i < m->n; i++)
		m->value[1 + i] = -column_cost(m->left, m->column[i], w) / m->left->target;
	tableau_add_row(m->lp, m->value, w->delay / m->left->target);
}

/* Add a column, with its coefficients in the rows of stages, bodies and active paths. */
static void
add_column(const struct game *g, struct game_programme *m, int column)
{
	const struct problem *p = g->p;
	const struct held *held = &m->left->held[column * p->chunks];
	int rows = 0;

	for (; rows < p->stages; rows++)
		m->value[rows] = column_stage(m->left, column) == rows;
	for (int b = 0; b < p->net->nbodies; b++, rows++) {
		m->value[rows] = 0;
		for (int v = 0; v < p->chunks; v++)
			m->value[rows] += p->contents.content[held[v].content].body[b];
	}
	for (int i = 0; i < g->nactive; i++, rows++)
		m->value[rows] = -column_cost(m->left, column, &g->path[g->active[i]].worth) / m->left->target;
	m->column = array_room(m->column, (size_t)m->n, sizeof *m->column);
	m->column[m->n++] = column;
	m->inside[column] = 1;
	tableau_add_column(m->lp, 0, m->value);
}

/*
 * Create the programme. Its rows say that each stage has a mean of columns, and that all layers of each body are
 * placed. It starts with the columns and paths that the last programme needed.
 */
static struct game_programme
programme_new(struct game *g, const struct columns_left *left)
{
	const struct problem *p = g->p;
	int rows = p->stages + p->net->nbodies, paths = g->nactive;
	size_t cells = (size_t)p->stages * (size_t)left->width;
	struct game_programme m = { .left = left };
	int *seen;

	m.value = xcalloc((size_t)(rows + left->n) + 1 + (size_t)(paths + ROUNDS), sizeof *m.value);
	m.inside = xcalloc((size_t)left->n, sizeof *m.inside);
	m.least = xcalloc(cells, sizeof *m.least);
	m.which = xcalloc(cells, sizeof *m.which);
	for (int r = 0; r < rows; r++)
		m.value[r] = r < p->stages ? 1 : p->net->body[r - p->stages].layers;
	m.lp = tableau_new(rows, m.value);
	g->nactive = 0;
	for (int i = 0; i < g->nchosen && p->chunks > 1; i++)
		if (left->alive[g->chosen[i]])
			add_column(g, &m, g->chosen[i]);
	/* With one chunk per stage contents are few, and each occurs in many runs. */
	seen = xcalloc((size_t)p->contents.ncontents, sizeof *seen);
	for (int c = 0; c < left->n && p->chunks == 1; c++) {
		int *at = &seen[left->held[c].content];

		if (!left->alive[c] || m.inside[c] || *at == 1 + column_stage(left, c))
			continue;
		*at = 1 + column_stage(left, c);
		add_column(g, &m, c);
	}
	free(seen);
	for (int i = 0; i < paths; i++) {
		add_path_row(&m, &g->path[g->active[i]].worth);
		g->nactive++;
	}
	return m;
}

static void
programme_free(struct game_programme *m)
{
	tableau_free(m->lp);
	free(m->column);
	free(m->inside);
	free(m->value);
	free(m->least);
	free(m->which);
}

/* Get the multipliers of paths as integer weights, omitting zeros. Return false if all are zero. */
static bool
take_duals(struct game *g, const struct game_programme *m)
{
	const struct problem *p = g->p;
	struct mean *best = &g->best;
	int first = p->stages + p->net->nbodies, n = 0;
	double sum = 0;

	free(best->path);
	free(best->weight);
	best->path = xcalloc((size_t)g->nactive + 1, sizeof *best->path);
	best->weight = xcalloc((size_t)g->nactive + 1, sizeof *best->weight);
	memset(best->worth.forward, 0, (size_t)p->pieces * sizeof(double));
	memset(best->worth.backward, 0, (size_t)p->pieces * sizeof(double));
	best->worth.delay = 0;
	for (int i = 0; i < g->nactive; i++) {
		double weight = tableau_dual(m->lp, first + i);
		int whole = weight > 0 && weight < 2 ? (int)lrint(weight * UNIT) : 0;

		if (whole == 0)
			continue;
		best->path[n] = g->active[i];
		best->weight[n++] = whole;
		sum += whole;
	}
	for (int i = 0; i < n; i++) {
		const struct worth *w = &g->path[best->path[i]].worth;
		double part = best->weight[i] / sum;

		for (int s = 0; s < p->pieces; s++) {
			best->worth.forward[s] += part * w->forward[s];
			best->worth.backward[s] += part * w->backward[s];
		}
		best->worth.delay += part * w->delay;
	}
	/* If model order is kept, or with only one body, layers need no price, because all are placed anyway. */
	for (int b = 0; b < p->net->nbodies && p->chunks > 1 && p->net->nbodies > 1; b++) {
		best->worth.price[b] = tableau_dual(m->lp, p->stages + b) * m->left->target;
		best->worth.delay += best->worth.price[b] * p->net->body[b].layers;
	}
	best->n = n;
	return n > 0;
}

/*
 * For each stage and number of layers, add the column of least reduced cost, if this cost is negative. Return the
 * number of columns added.
 */
static int
price_columns(struct game *g, struct game_programme *m)
{
	const struct problem *p = g->p;
	const struct columns_left *left = m->left;
	int added = 0;

	for (int i = 0; i < p->stages * left->width; i++)
		m->least[i] = -CLOSE;
	for (int c = 0; c < left->n; c++) {
		int stage = column_stage(left, c), at = stage * left->width + column_layers(left, c);
		double cost;

		if (!left->alive[c] || m->inside[c])
			continue;
		cost = column_cost(left, c, &g->best.worth) / left->target - tableau_dual(m->lp, stage);
		if (p->chunks == 1 || p->net->nbodies == 1)
			for (int v = 0; v < p->chunks; v++)
				for (int b = 0; b < p->net->nbodies; b++)
					cost -= tableau_dual(m->lp, p->stages + b) *
					    p->contents.content[left->held[c * p->chunks + v].content].body[b];
		if (cost < m->least[at]) {
			m->least[at] = cost;
			m->which[at] = c;
		}
	}
	for (int i = 0; i < p->stages * left->width; i++)
		if (m->least[i] < -CLOSE) {
			add_column(g, m, m->which[i]);
			added++;
		}
	return added;
}

/* Find the longest path under the mean of the columns and return its length, ms. */
static double
answer(struct game *g, const struct game_programme *m, const double *x)
{
	const struct problem *p = g->p;
	struct times *mean = xcalloc((size_t)p->pieces, sizeof *mean);
	double longest;

	for (int i = 0; i < m->n; i++)
		for (int v = 0; v < p->chunks; v++) {
			const struct held *held = &m->left->held[m->column[i] * p->chunks + v];
			struct times *t = &mean[v * p->stages + column_stage(m->left, m->column[i])];

			t->forward += x[i] * held->forward;
			t->backward += x[i] * held->backward;
		}
	for (int s = 0; s < p->pieces; s++)
		piece_costs(p, s, mean[s], g->cost);
	g->cost[p->evaluator.slots - 1] = 0;
	longest = longest_find(&g->longest, g->cost);
	free(mean);
	return longest;
}

/* Record the columns in the solution. */
static void
take_chosen(struct game *g, const struct game_programme *m, const double *x)
{
	g->nchosen = 0;
	free(g->share);
	g->share = xcalloc((size_t)m->n + 1, sizeof *g->share);
	for (int i = 0; i < m->n; i++) {
		if (x[i] < CLOSE)
			continue;
		g->share[g->nchosen] = x[i];
		g->chosen = array_room(g->chosen, (size_t)g->nchosen, sizeof *g->chosen);
		g->chosen[g->nchosen++] = m->column[i];
	}
}

bool
game_solve(struct game *g, const struct columns_left *left, double *work, double deadline)
{
	const struct problem *p = g->p;
	struct game_programme m = programme_new(g, left);
	bool good = false, more = true;

	for (int round = 0; more && round < ROUNDS && tableau_solve(m.lp, deadline); round++) {
		double longest;
		int added;

		good = take_duals(g, &m);
		tableau_solution(m.lp, m.value);
		take_chosen(g, &m, m.value + 1);
		longest = answer(g, &m, m.value + 1);
		more = !g->loads && longest > tableau_value(m.lp) * left->target * (1 + CLOSE) &&
		    activate(g, path_number(g));
		/*
		 * The rows of new paths are added after the new columns, because columns have coefficients in the
		 * existing rows.
		 */
		g->nactive -= more;
		added = price_columns(g, &m);
		if (more)
			add_path_row(&m, &g->path[g->active[g->nactive++]].worth);
		/* No mean of columns has a shorter longest path than the programme's value. */
		more = (more || added > 0) && (added > 0 || tableau_value(m.lp) < 1 + CLOSE);
		*work += p->evaluator.noperations + left->n;
	}
	*work += tableau_work(m.lp);
	/* The next programme starts with the paths that this programme needed. */
	g->nactive = 0;
	for (int i = 0; good && i < g->best.n; i++)
		activate(g, g->best.path[i]);
	programme_free(&m);
	return good;
}
