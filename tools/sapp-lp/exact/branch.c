/* Branch and bound: the node with the least bound comes first (best-bound search). */
#include "branch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/threads.h"
#include "sapp-lp/model/tuning.h"
#include "sapp-lp/pattern/pattern_borders.h"
#include "division.h"

enum {
	UNDIVIDED_ROUNDS = 400,		/* maximum number of rounds of generation for an undivided node */
	GO_ROUNDS = 60,			/* rounds after which an undivided node is solved again from a purged master */
	NODE_ROUNDS = 30,		/* maximum number of rounds of generation for other nodes */
	NODES = 5,			/* number of nodes that a worker bounds at a time */
};
static const double CLOSE = 2e-5, EXACT = 1e-10, SLOW = 0.005;	/* see struct generation */
/*
 * Fraction of the gap to the horizon. Generation for a node stops when its bound exceeds the bound of the next open
 * node by this fraction.
 */
static const double LEAP = 0.1;

struct branch_node {
	double bound;		/* ms, lower bound on the plans that the node allows */
	/* the division that created the node; unused after the node was first bounded */
	struct exact_division from;
	bool upper;		/* whether the node is the upper child of this division */
	double enough;		/* ms, bound at which generation stops in the current run: see LEAP */
	struct node_bounds bounds;
	struct visits weight;	/* the mean of paths that proves the bound */
	double *price;		/* the prices of layers that prove it: see mastered.price */
	int pool;		/* index of the pool of paths and columns with which the node's programme begins */
	struct subset paths, columns;
	/* no branching candidate was found, so the node is solved again with tight tolerances */
	bool undivided;
	int rounds;		/* rounds done while the node was undivided */
};

struct branch {
	const struct problem *p;
	struct patterns *patterns;
	struct pattern_borders borders;
	struct column_pool pool[BRANCH_WORKERS];
	int n;
	struct branch_node **heap;	/* [n], heap of the open nodes, least bound first */
	double horizon;		/* ms, best known step: only shorter plans matter */
	double leaves;		/* ms, least bound of the nodes that could not be divided; INFINITY: none */
	double closed;		/* ms, least bound of the closed nodes; INFINITY: none */
	double best_time;	/* ms, step of the best plan found here; INFINITY: none */
	struct candidate best;
	int unlisted;		/* number of patterns without a list of settings; with any, each round is slow */
	double work;		/* see mastered.work */
	long bounded;		/* number of nodes bounded */
	struct divisions divisions;	/* pseudo-costs of divisions */
	int in_use[BRANCH_WORKERS];	/* number of paths in each pool after the last purge */
	int dropped;		/* number of paths dropped from all pools */
	double terms;		/* see struct root */
};

static void
node_free(struct branch_node *n)
{
	node_bounds_free(&n->bounds);
	free(n->weight.at);
	free(n->price);
	free(n->paths.at);
	free(n->columns.at);
	free(n);
}

static void
push(struct branch *b, struct branch_node *n)
{
	int i = b->n;

	*APPEND(b->heap, b->n) = n;
	for (; i > 0 && b->heap[(i - 1) / 2]->bound > n->bound; i = (i - 1) / 2)
		b->heap[i] = b->heap[(i - 1) / 2];
	b->heap[i] = n;
}

static struct branch_node *
pop(struct branch *b)
{
	struct branch_node *top = b->heap[0], *last = b->heap[--b->n];
	int i = 0, child;

	for (; (child = 2 * i + 1) < b->n; i = child) {
		if (child + 1 < b->n && b->heap[child + 1]->bound < b->heap[child]->bound)
			child++;
		if (b->heap[child]->bound >= last->bound)
			break;
		b->heap[i] = b->heap[child];
	}
	if (b->n > 0)
		b->heap[i] = last;
	return top;
}

/* Return whether a node with this bound may hold a plan worth finding. */
static bool
is_open(const struct branch *b, double bound)
{
	return bound < b->horizon * (1 - CLOSED);
}

static struct subset
subset_copy(const struct subset *from)
{
	struct subset s = { from->n, xcalloc((size_t)from->n, sizeof(int)) };

	for (int i = 0; i < s.n; i++)
		s.at[i] = from->at[i];
	return s;
}

static void
take_plan(struct branch *b, const struct mastered *m)
{
	if (m->step_time >= b->best_time)
		return;
	b->best_time = m->step_time;
	candidate_copy(b->p, &b->best, &m->plan);
	b->horizon = fmin(b->horizon, b->best_time);
}

static struct branch_node *
node_new(const struct branch *b, double bound, struct node_bounds bounds, const struct visits *weight,
    const double *price)
{
	struct branch_node *n = xcalloc(1, sizeof *n);

	n->bound = bound;
	n->bounds = bounds;
	n->weight = visits_new(b->p);
	visits_copy(b->p, &n->weight, weight);
	n->price = xcalloc((size_t)b->p->net->nbodies, sizeof *n->price);
	memcpy(n->price, price, (size_t)b->p->net->nbodies * sizeof *price);
	return n;
}

static struct branch_node *
child_new(const struct branch *b, const struct branch_node *parent, struct node_bounds bounds, const struct mastered *m)
{
	struct branch_node *n = node_new(b, m->bound, bounds, &m->weight, m->price);

	n->pool = parent->pool;
	n->paths = subset_copy(&m->paths);
	n->columns = subset_copy(&m->columns);
	return n;
}

/* The nodes that one worker bounds, with a pool of paths and columns of its own. */
struct share {
	struct branch *b;
	int pool, n, done;	/* done: number of nodes bounded before the deadline */
	struct branch_node *node[NODES];	/* [n] */
	struct mastered mastered[NODES];	/* [done] */
	double deadline;
};

static int
rounds_of(const struct branch *b, const struct branch_node *n)
{
	return n->undivided && b->unlisted == 0 ? GO_ROUNDS : NODE_ROUNDS;
}

/* Copy a node's paths and columns to another pool, and change its indices. */
static void
move_node(struct branch *b, struct branch_node *n, int to)
{
	const struct column_pool *from = &b->pool[n->pool];

	for (int i = 0; i < n->paths.n && n->pool != to; i++)
		n->paths.at[i] = path_cuts_add(b->p, &b->pool[to].paths, &from->paths.at[n->paths.at[i]]);
	for (int i = 0; i < n->columns.n && n->pool != to; i++)
		n->columns.at[i] = column_pool_copy(&b->pool[to], &from->column[n->columns.at[i]]);
	n->pool = to;
}

static void *
bound_share(void *arg)
{
	struct share *s = arg;
	struct branch *b = s->b;

	for (int i = 0; i < s->n && clock_left(s->deadline); i++, s->done++) {
		struct branch_node *n = s->node[i];
		struct patterns c = patterns_within(b->patterns, &n->bounds);
		struct generation g = { rounds_of(b, n), n->undivided ? EXACT : CLOSE, n->undivided ? 0 : SLOW,
			n->enough, b->horizon, s->deadline };

		s->mastered[i] = master_solve(&b->pool[s->pool], &c, &n->weight, n->price, &n->paths, &n->columns, &g);
		patterns_free(&c);
	}
	return NULL;
}

static void
push_child(struct branch *b, struct branch_node *child, const struct exact_division *from, bool upper)
{
	if (tuning.pattern_borders && !pattern_borders_shrink(&b->borders, child->bounds.border)) {
		node_free(child);
		return;
	}
	child->from = *from;
	child->upper = upper;
	push(b, child);
}

static void
push_again(struct branch *b, const struct branch_node *n, const struct mastered *m, bool undivided, int rounds)
{
	struct branch_node *again = child_new(b, n, node_bounds_new(b->p, &n->bounds), m);

	again->undivided = undivided;
	again->rounds = rounds;
	push(b, again);
}

/*
 * Finish a bounded node. Close it if its bound reaches the horizon. Reopen it if it is undivided, or if generation
 * stopped in favour of other nodes. Otherwise divide it. If it cannot be divided, mark it as undivided, and the next
 * time as a leaf.
 */
static void
finish(struct branch *b, struct branch_node *n, struct mastered *m, double deadline)
{
	int rounds = rounds_of(b, n);
	struct node_bounds low, high;
	struct exact_division division;

	b->work += m->work;
	b->bounded++;
	take_plan(b, m);
	m->bound = fmax(m->bound, n->bound);
	division_learn(&n->from, n->upper, fmin(m->bound, b->horizon) - n->bound);
	if (!is_open(b, m->bound))
		b->closed = fmin(b->closed, m->bound);
	else if (n->undivided && !m->converged && n->rounds + rounds < UNDIVIDED_ROUNDS)
		push_again(b, n, m, true, n->rounds + rounds);
	else if (m->bound >= n->enough && !m->converged)
		push_again(b, n, m, false, 0);
	else if (divide(&b->divisions, b->p, m, &n->bounds, &low, &high, &division)) {
		push_child(b, child_new(b, n, low, m), &division, false);
		push_child(b, child_new(b, n, high, m), &division, true);
	} else if (!n->undivided && clock_left(deadline))
		push_again(b, n, m, true, 0);
	else
		b->leaves = fmin(b->leaves, m->bound);
	mastered_free(m);
	node_free(n);
}

static void
push_root(struct branch *b, const struct root *from, const struct candidate *known)
{
	struct branch_node *root = node_new(b, from->bound, node_bounds_new(b->p, NULL), from->weight,
	    b->patterns->price);

	for (int i = 0; i < b->pool[0].paths.n; i++)
		*APPEND(root->paths.at, root->paths.n) = i;
	for (int s = 0; s < b->p->stages; s++)
		*APPEND(root->columns.at, root->columns.n) = column_pool_add(&b->pool[0], known, s);
	push_child(b, root, &(struct exact_division){ .by = NULL }, false);
}

struct branch *
branch_new(struct patterns *patterns, const struct root *root, const struct path_cuts *paths,
    const struct candidate *known, double horizon)
{
	struct branch *b = xcalloc(1, sizeof *b);
	const struct problem *p = patterns->problem;

	b->p = p;
	b->patterns = patterns;
	b->borders = pattern_borders_new(patterns);
	for (int i = 0; i < BRANCH_WORKERS; i++)
		b->pool[i] = column_pool_new(p, paths);
	b->horizon = horizon;
	b->leaves = b->closed = b->best_time = INFINITY;
	b->unlisted = patterns_unlisted(patterns);
	b->divisions = divisions_new(p);
	b->best = candidate_new(p);
	b->terms = root->terms;
	/* The mean of paths that proves the bound is a valid row, like a path. */
	if (root->terms > 0)
		path_cuts_add(p, &b->pool[0].paths, root->weight);
	push_root(b, root, known);
	return b;
}

void
branch_free(struct branch *b)
{
	while (b->n > 0)
		node_free(pop(b));
	free(b->heap);
	for (int i = 0; i < BRANCH_WORKERS; i++)
		column_pool_free(&b->pool[i]);
	candidate_free(&b->best);
	divisions_free(&b->divisions);
	pattern_borders_free(&b->borders);
	free(b);
}

void
branch_take(struct branch *b, double horizon)
{
	b->horizon = fmin(b->horizon, horizon);
}

/* Distribute up to NODES open nodes with the least bounds over the workers. Return their number. */
static int
share_nodes(struct branch *b, struct share *share, int workers, int nodes)
{
	int n = 0;

	for (; n < nodes && b->n > 0 && is_open(b, b->heap[0]->bound); n++) {
		struct share *s = &share[n % workers];

		s->node[s->n] = pop(b);
		move_node(b, s->node[s->n++], s->pool);
	}
	for (int i = 0; i < n; i++) {
		struct branch_node *node = share[i % workers].node[i / workers];
		double behind = fmin(b->n > 0 ? b->heap[0]->bound : node->bound, b->horizon);

		node->enough = node->undivided ? INFINITY : behind + LEAP * (b->horizon - behind);
	}
	return n;
}

/* Drop the paths and columns of a pool with which no open node begins, if they are most of the pool. */
static void
collect(struct branch *b, int number)
{
	struct column_pool *pool = &b->pool[number];
	int *path, *column;

	if (pool->paths.n < 2 * b->in_use[number] + tuning.spare_paths)
		return;
	path = xcalloc((size_t)pool->paths.n, sizeof *path);
	column = xcalloc((size_t)pool->ncolumns, sizeof *column);
	b->dropped += pool->paths.n;
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < b->n; i++) {
			struct branch_node *n = b->heap[i];

			if (n->pool != number)
				continue;
			for (int k = 0; k < n->paths.n && pass == 0; k++)
				path[n->paths.at[k]] = 1;
			for (int k = 0; k < n->columns.n && pass == 0; k++)
				column[n->columns.at[k]] = 1;
			for (int k = 0; k < n->paths.n && pass == 1; k++)
				n->paths.at[k] = path[n->paths.at[k]];
			for (int k = 0; k < n->columns.n && pass == 1; k++)
				n->columns.at[k] = column[n->columns.at[k]];
		}
		if (pass == 0)
			column_pool_keep(pool, path, column);
	}
	b->in_use[number] = pool->paths.n;
	b->dropped -= pool->paths.n;
	free(path);
	free(column);
}

static int
run_shares(struct branch *b, int workers, int nodes, double deadline)
{
	struct share share[BRANCH_WORKERS] = { { .n = 0 } };
	int n;

	for (int i = 0; i < workers; i++)
		share[i] = (struct share){ .b = b, .pool = i, .deadline = deadline };
	n = share_nodes(b, share, workers, nodes);
	if (n == 0)
		return 0;
	threads_run(bound_share, share, sizeof *share, n < workers ? n : workers);
	for (int i = 0; i < n; i++) {
		struct share *s = &share[i % workers];

		if (i / workers < s->done)
			finish(b, s->node[i / workers], &s->mastered[i / workers], deadline);
		else
			push(b, s->node[i / workers]);
	}
	for (int i = 0; i < BRANCH_WORKERS; i++)
		collect(b, i);
	return n;
}

bool
branch_run(struct branch *b, int workers, int nodes, double work, double deadline)
{
	double most_work = b->work + work;
	/*
	 * Bounding many nodes at a time keeps all workers busy until the end. Bounding few preserves the order of
	 * bounds.
	 */
	int most = workers == 1 || b->unlisted > 0 ? workers : workers * NODES, done;

	for (; nodes > 0 && b->work < most_work && clock_left(deadline); nodes -= done) {
		done = run_shares(b, workers, nodes < most ? nodes : most, deadline);
		if (done == 0)
			break;
	}
	/* Close the nodes whose bound reaches the horizon. */
	while (b->n > 0 && !is_open(b, b->heap[0]->bound)) {
		b->closed = fmin(b->closed, b->heap[0]->bound);
		node_free(pop(b));
	}
	return b->n == 0 && !branch_stuck(b);
}

double
branch_work(const struct branch *b)
{
	return b->work;
}

long
branch_bounded(const struct branch *b)
{
	return b->bounded;
}

bool
branch_stuck(const struct branch *b)
{
	return b->n == 0 && is_open(b, b->leaves);
}

double
branch_bound(const struct branch *b)
{
	double bound = fmin(fmin(b->horizon, b->closed), b->leaves);
	int paths = b->dropped;

	if (b->n > 0)
		bound = fmin(bound, b->heap[0]->bound);
	for (int i = 0; i < BRANCH_WORKERS; i++)
		paths += b->pool[i].paths.n;
	return patterns_proved(b->p, bound, paths + (int)b->terms);
}

double
branch_best(const struct branch *b, struct candidate *out)
{
	if (out != NULL && b->best_time < INFINITY)
		candidate_copy(b->p, out, &b->best);
	return b->best_time;
}

struct path_cuts
branch_paths(const struct branch *b)
{
	struct path_cuts all = path_cuts_copy(b->p, &b->pool[0].paths);

	for (int i = 1; i < BRANCH_WORKERS; i++)
		for (int k = 0; k < b->pool[i].paths.n; k++)
			path_cuts_add(b->p, &all, &b->pool[i].paths.at[k]);
	return all;
}
