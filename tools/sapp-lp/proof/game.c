/* Game: the programme, solved again with each path that its solution exceeds. */
#include "game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/hash.h"
#include "sapp-lp/bound/tableau.h"
#include "sapp-lp/model/tier.h"

enum { ROUNDS = 60, UNIT = 1000000000 };	/* of weights: a billionth */
static const double CLOSE = 1e-9, SLOWER[] = { 1.5, 64 };

struct column {			/* a content on a stage, that some run has */
	int stage, content;
	struct times ms;	/* on it */
};

static struct worth
worth_new(const struct problem *p)
{
	size_t n = (size_t)p->stages;

	return (struct worth){ xcalloc(n, sizeof(double)), xcalloc(n, sizeof(double)), 0 };
}

static void
worth_free(struct worth *w)
{
	free(w->forward);
	free(w->backward);
}

struct game
game_new(const struct problem *p, FILE *out)
{
	struct game g = { .p = p, .out = out, .longest = longest_new(p) };

	g.cost = xcalloc((size_t)p->evaluator.slots, sizeof *g.cost);
	g.mean = xcalloc((size_t)p->stages, sizeof *g.mean);
	g.spread = xcalloc((size_t)p->stages, sizeof *g.spread);
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
	free(g->mean);
	free(g->spread);
	free(g->best.path);
	free(g->best.weight);
}

/* What the path found last is worth. */
static struct worth
worth_of(const struct game *g)
{
	const struct problem *p = g->p;
	const struct evaluator *e = &p->evaluator;
	struct worth w = worth_new(p);
	/* How many operations of a stage are forwards up to each: of any micro-batch the same. */
	int *forwards = xcalloc((size_t)p->stages * (size_t)(2 * p->micro + 1), sizeof *forwards);

	for (uint32_t i = 0; i < e->noperations; i++) {
		int *at = &forwards[e->operation[i].stage * (2 * p->micro + 1) + g->longest.place[i]];

		at[1] = at[0] + (e->operation[i].slot < p->pieces);
	}
	for (int i = 0; i < g->longest.nsteps; i++) {
		const struct step *s = &g->longest.step[i];
		const int *at = &forwards[s->stage * (2 * p->micro + 1)];
		int n = at[s->last + 1] - at[s->first], before = i > 0 ? s[-1].stage : s->stage;

		w.forward[s->stage] += n * p->pace[s->stage];
		w.backward[s->stage] += (s->last + 1 - s->first - n) * p->pace[s->stage];
		if (i > 0)
			w.delay += e->delay[1 + (before < s->stage ? before : s->stage)];
	}
	free(forwards);
	return w;
}

/* The number of the path found last, which is written where it is new. */
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

/* Make a path active; false: it is. */
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

	for (int n = -1; n < 2 * p->stages; n++) {
		candidate_costs(p, plan, g->cost);
		for (int i = n / 2; n >= 0 && i < p->evaluator.slots - 1; i += p->stages)
			g->cost[i] *= SLOWER[n % 2];
		longest_find(&g->longest, g->cost);
		activate(g, path_number(g));
	}
	g->first = g->npaths;
}

/* The contents that runs have; how many. */
static int
find_columns(const struct runs_left *r, struct column **out)
{
	const struct problem *p = r->p;
	int *seen = xcalloc((size_t)p->contents.ncontents, sizeof *seen), n = 0;

	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i <= p->net->layers; i++)
			for (int k = 0; k < r->width; k++) {
				int c = r->alive[runs_left_at(r, s, i, k)] ? piece_content(p, s, i, k) : -1;

				if (c < 0 || seen[c] == s + 1)
					continue;
				seen[c] = s + 1;
				*APPEND(*out, n) = (struct column){ s, c,
				    r->least[(size_t)s * (size_t)p->contents.ncontents + (size_t)c] };
			}
	free(seen);
	return n;
}

/* The path's row: the step time, in targets, is at least what the contents chosen make it. */
static void
add_path_row(struct tableau *lp, const struct worth *w, const struct column *at, int n, double ms, double *value)
{
	value[0] = 1;
	for (int i = 0; i < n; i++)
		value[1 + i] = -(w->forward[at[i].stage] * at[i].ms.forward +
		    w->backward[at[i].stage] * at[i].ms.backward) / ms;
	tableau_add_row(lp, value, w->delay / ms);
}

/* A choice on each stage, and all layers of each body; then the contents. */
static struct tableau *
programme_of(const struct problem *p, const struct column *at, int n)
{
	int rows = p->stages + p->net->nbodies;
	double *value = xcalloc((size_t)rows, sizeof *value);
	struct tableau *lp;

	for (int r = 0; r < rows; r++)
		value[r] = r < p->stages ? 1 : p->net->body[r - p->stages].layers;
	lp = tableau_new(rows, value);
	for (int i = 0; i < n; i++) {
		for (int r = 0; r < rows; r++)
			value[r] = r < p->stages ? at[i].stage == r :
			    p->contents.content[at[i].content].body[r - p->stages];
		tableau_add_column(lp, 0, value);
	}
	free(value);
	return lp;
}

/* The longest path under the mean of the contents; ms. */
static double
answer(struct game *g, const double *x, const struct column *at, int n)
{
	const struct problem *p = g->p;
	struct times *mean = xcalloc((size_t)p->stages, sizeof *mean);

	memset(g->mean, 0, (size_t)p->stages * sizeof *g->mean);
	memset(g->spread, 0, (size_t)p->stages * sizeof *g->spread);
	for (int i = 0; i < n; i++) {
		int layers = p->contents.content[at[i].content].layers;

		mean[at[i].stage].forward += x[i] * at[i].ms.forward;
		mean[at[i].stage].backward += x[i] * at[i].ms.backward;
		g->mean[at[i].stage] += x[i] * layers;
		g->spread[at[i].stage] += x[i] * layers * layers;
	}
	for (int s = 0; s < p->stages; s++) {
		piece_costs(p, s, mean[s], g->cost);
		g->spread[s] -= g->mean[s] * g->mean[s];
	}
	g->cost[p->evaluator.slots - 1] = 0;
	free(mean);
	return longest_find(&g->longest, g->cost);
}

/* The multipliers of paths as whole weights, and those that have one, active from now on. */
static bool
take_duals(struct game *g, const struct tableau *lp, int first)
{
	const struct problem *p = g->p;
	double sum = 0;
	int n = 0;

	free(g->best.path);
	free(g->best.weight);
	g->best.path = xcalloc((size_t)g->nactive, sizeof *g->best.path);
	g->best.weight = xcalloc((size_t)g->nactive, sizeof *g->best.weight);
	memset(g->best.worth.forward, 0, (size_t)p->stages * sizeof(double));
	memset(g->best.worth.backward, 0, (size_t)p->stages * sizeof(double));
	g->best.worth.delay = 0;
	for (int i = 0; i < g->nactive; i++) {
		double weight = tableau_dual(lp, first + i);
		int whole = weight > 0 && weight < 2 ? (int)lrint(weight * UNIT) : 0;

		if (whole == 0)
			continue;
		g->best.path[n] = g->active[i];
		g->best.weight[n++] = whole;
		sum += whole;
	}
	for (int i = 0; i < n; i++) {
		const struct worth *w = &g->path[g->best.path[i]].worth;
		double part = g->best.weight[i] / sum;

		for (int s = 0; s < p->stages; s++) {
			g->best.worth.forward[s] += part * w->forward[s];
			g->best.worth.backward[s] += part * w->backward[s];
		}
		g->best.worth.delay += part * w->delay;
	}
	g->best.n = n;
	return n > 0;
}

bool
game_solve(struct game *g, const struct runs_left *r, double *work, double deadline)
{
	const struct problem *p = g->p;
	struct column *at = NULL;
	int n = find_columns(r, &at);
	struct tableau *lp = programme_of(p, at, n);
	double *value = xcalloc((size_t)n + 1, sizeof *value);
	bool good = false, more = true;

	for (int i = 0; i < g->nactive; i++)
		add_path_row(lp, &g->path[g->active[i]].worth, at, n, r->target, value);
	for (int round = 0; more && round < ROUNDS && tableau_solve(lp, deadline); round++) {
		double longest;

		tableau_solution(lp, value);
		longest = answer(g, value + 1, at, n);
		good = take_duals(g, lp, p->stages + p->net->nbodies);
		more = longest > tableau_value(lp) * r->target * (1 + CLOSE) && activate(g, path_number(g));
		if (more)
			add_path_row(lp, &g->path[g->active[g->nactive - 1]].worth, at, n, r->target, value);
		*work += p->evaluator.noperations;
	}
	*work += tableau_work(lp);
	/* The next one begins with the paths that this one needed. */
	g->nactive = 0;
	for (int i = 0; good && i < g->best.n; i++)
		activate(g, g->best.path[i]);
	tableau_free(lp);
	free(at);
	free(value);
	return good;
}
