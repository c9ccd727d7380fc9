#include "selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

static void
add_goal(struct selection *c, struct goal n)
{
	for (size_t i = 0; i < c->ngoals && n.kind == GOAL_SENT; i++) {
		const struct sent *s = &c->goal[i].sent;

		if (c->goal[i].kind == GOAL_SENT && s->what == n.sent.what && s->members == n.sent.members) {
			c->goal[i].weight += n.weight;
			return;
		}
	}
	*APPEND(c->goal, c->ngoals) = n;
}

/* Return the base run of a regime: a run with results, or otherwise the first run; -1: none. */
static int
base_of(const struct offers *all, int regime)
{
	for (int known = 1; known >= 0; known--)
		for (size_t i = 0; i < all->n; i++) {
			const struct training_run *r = &all->at[i].run;

			if (regime_of(&r->of) == regime && r->of.pp == 1 && r->purpose != RUN_STATIC &&
			    all->at[i].known >= known)
				return (int)i;
		}
	return -1;
}

/* Shapes that no first candidate has need the exponents of factors. */
static void
need_factors(struct selection *c, const struct offers *all, const struct asked *a, int regime)
{
	int base = base_of(all, regime), delta[FACTORS];
	bool others = false, *moves = c->moves[regime];
	size_t first = c->ngoals;

	for (size_t i = 0; i < a->nshapes; i++)
		others |= a->shape[i].candidates == 0 && regime_of(&a->shape[i].like) == regime;
	if (!others || base < 0)
		return;
	memcpy(moves, a->vary[regime], sizeof a->vary[regime]);
	/* Anchors may differ in sequence length and number of experts. */
	for (size_t i = 0; i < all->n; i++)
		for (int f = 0; f < FACTORS; f++)
			moves[f] |= regime_of(&all->at[i].run.of) == regime && (all->at[i].known ||
			    all->at[i].run.purpose == RUN_ANCHOR) && all->at[i].x[f] != all->at[base].x[f];
	for (int f = 0; f < FACTORS; f++)
		delta[f] = moves[f] ? -2 : 0;
	for (bool none = false; !none;) {
		none = true;
		for (int f = 0; f < FACTORS; f++)
			none &= delta[f] == 0;
		if (!none) {
			struct goal n = { .kind = GOAL_APART, .regime = regime };

			memcpy(n.delta, delta, sizeof delta);
			add_goal(c, n);
		}
		factors_next(delta, moves, 2);
	}
	for (size_t i = first; i < c->ngoals; i++)
		c->goal[i].weight = 1 / (double)(c->ngoals - first);
	c->asked[regime] = c->ngoals > first;
	if (c->asked[regime])
		add_goal(c, (struct goal){ .kind = GOAL_BASE, .regime = regime, .weight = 1 });
}

static void
list_goals(struct selection *c, const struct offers *all, const struct asked *a, const struct site *s)
{
	for (size_t i = 0; i < a->nshapes; i++) {
		const struct asked_shape *h = &a->shape[i];
		struct goal n = { .kind = GOAL_TIMES, .regime = regime_of(&h->like), .weight = h->candidates,
			.shape = h->of };

		if (h->candidates == 0 || h->known)
			continue;
		add_goal(c, n);
		n.kind = GOAL_KEPT;
		n.weight /= 10;
		add_goal(c, n);
		n.kind = GOAL_AGAIN;
		if (h->again)
			add_goal(c, n);
	}
	for (size_t i = 0; i < a->nfirst; i++) {
		struct sent sent[6];
		int n = sent_of(&a->first[i], s->net, s->node, sent);

		for (int k = 0; k < n; k++)
			add_goal(c, (struct goal){ .kind = GOAL_SENT, .sent = sent[k], .weight = 0.05 });
	}
	for (int regime = 0; regime < REGIMES; regime++)
		need_factors(c, all, a, regime);
}

static bool
tells(const struct goal *n, const struct offers *all, size_t i, const struct site *s, const bool moves[FACTORS])
{
	const struct offer *o = &all->at[i];
	const struct configuration *c = &o->run.of;
	double two[2][FACTORS], apart;
	int base;

	if (o->run.purpose == RUN_STATIC)
		return false;
	if (n->kind <= GOAL_AGAIN) {
		struct shapes shape = shape_of(c, &o->net);

		/* Fewer devices, with a shorter sequence or fewer heads, have equal load per device. */
		bool shrunk = o->known || o->run.purpose == RUN_ANCHOR;

		if (shrunk && shape.tp != n->shape.tp &&
		    shape.tp * (s->net->num_heads / o->net.num_heads) == n->shape.tp)
			shape.tp = n->shape.tp;
		if (shrunk && shape.cp != n->shape.cp && shape.cp > 1 && n->shape.cp > 1 &&
		    (long)shape.seq * n->shape.cp == (long)n->shape.seq * shape.cp) {
			shape.cp = n->shape.cp;
			shape.seq = n->shape.seq;
		}
		return shape_same(&shape, &n->shape) && (n->kind == GOAL_TIMES ||
		    (c->recompute == KEEP_FULL) == (n->kind == GOAL_AGAIN));
	}
	if (n->kind == GOAL_SENT) {
		struct sent sent[6];
		int m = sent_of(c, &o->net, s->node, sent);

		for (int k = 0; k < m; k++)
			if (sent[k].what == n->sent.what && sent[k].members == n->sent.members)
				return true;
		return false;
	}
	if (regime_of(c) != n->regime || c->pp > 1)
		return false;
	base = base_of(all, n->regime);
	if (n->kind == GOAL_BASE)
		return (int)i == base;
	/* If another factor changes also, the two cannot be distinguished. */
	for (int f = 0; f < FACTORS; f++) {
		two[0][f] = all->at[base].x[f];
		two[1][f] = o->x[f];
		if (two[0][f] != two[1][f] && !moves[f])
			return false;
	}
	apart = factors_apart(2, (const double (*)[FACTORS])two, n->delta);
	return s->net->experts > 0 ? apart >= MARGIN_ROUTED : apart > 0;
}

/* Return the number of selected runs that reach each goal, [ngoals]. */
static int *
count_tellers(const struct selection *c)
{
	int *count = xcalloc(c->ngoals + 1, sizeof *count);

	for (size_t i = 0; i < c->noffers; i++)
		for (size_t k = 0; k < c->ngoals && c->taken[i]; k++)
			count[k] += c->tells[i * c->ngoals + k];
	return count;
}

static bool
forced(const struct offer *o)
{
	return o->known || o->always;
}

static double
cost_of(const struct offer *o)
{
	return o->known ? 0 : o->run.cost;
}

/* Repeatedly select the run that reaches the most open goals per cost. */
static void
take_greedily(struct selection *c, const struct offers *all)
{
	int *count = count_tellers(c);

	for (;;) {
		double best = 0;
		size_t which = 0;

		for (size_t i = 0; i < c->noffers; i++) {
			double told = 0;

			for (size_t k = 0; k < c->ngoals && !c->taken[i]; k++)
				if (count[k] == 0 && c->tells[i * c->ngoals + k])
					told += c->goal[k].weight;
			if (told / cost_of(&all->at[i]) > best) {
				best = told / cost_of(&all->at[i]);
				which = i;
			}
		}
		if (best == 0)
			break;
		c->taken[which] = true;
		for (size_t k = 0; k < c->ngoals; k++)
			count[k] += c->tells[which * c->ngoals + k];
	}
	free(count);
}

/* Return whether runs I and J (may be the same) together reach all of the N goals in LOST. */
static bool
replaces(const struct selection *c, const size_t *lost, size_t n, size_t i, size_t j)
{
	for (size_t k = 0; k < n; k++)
		if (!c->tells[i * c->ngoals + lost[k]] && !c->tells[j * c->ngoals + lost[k]])
			return false;
	return true;
}

/*
 * Replace the runs A and B (A alone if they are equal) by none, one or two other runs, if that is cheaper. Return
 * whether it was.
 */
static bool
exchange(struct selection *c, const struct offers *all, size_t a, size_t b)
{
	int *count = count_tellers(c);
	size_t *lost = xcalloc(c->ngoals + 1, sizeof *lost), n = 0, best_i = a, best_j = b;
	double least = cost_of(&all->at[a]) + (a == b ? 0 : cost_of(&all->at[b])) - 1e-9;
	bool better;

	for (size_t k = 0; k < c->ngoals; k++) {
		int of = c->tells[a * c->ngoals + k] + (a != b && c->tells[b * c->ngoals + k]);

		if (of > 0 && count[k] == of)
			lost[n++] = k;
	}
	free(count);
	better = n == 0;
	for (size_t i = 0; i < c->noffers && n > 0; i++)
		for (size_t j = i; j < c->noffers; j++) {
			double cost = cost_of(&all->at[i]) + (i == j ? 0 : cost_of(&all->at[j]));

			if ((c->taken[i] && i != a && i != b) || (c->taken[j] && j != a && j != b) || cost >= least ||
			    !replaces(c, lost, n, i, j))
				continue;
			better = true;
			least = cost;
			best_i = i;
			best_j = j;
		}
	free(lost);
	if (!better)
		return false;
	c->taken[a] = c->taken[b] = false;
	if (n > 0)
		c->taken[best_i] = c->taken[best_j] = true;
	return true;
}

static bool
exchange_any(struct selection *c, const struct offers *all)
{
	for (size_t a = 0; a < c->noffers; a++)
		for (size_t b = a; b < c->noffers && c->taken[a] && !forced(&all->at[a]); b++)
			if (c->taken[b] && !forced(&all->at[b]) && exchange(c, all, a, b))
				return true;
	return false;
}

static void
tell(struct texts *t, char *word)
{
	bool there = false;

	for (int i = 0; i < t->n; i++)
		there |= strcmp(t->at[i], word) == 0;
	if (!there)
		texts_add(t, word);
	free(word);
}

/* Set the texts of the goals that a run reaches. */
static void
name_tells(const struct selection *c, const struct offers *all, size_t i)
{
	static const char *const sendings[] = { "ring", "message", "tokens" };
	struct training_run *r = &all->at[i].run;

	for (size_t k = 0; k < c->ngoals; k++) {
		const struct goal *n = &c->goal[k];
		char *shape = n->kind <= GOAL_AGAIN ? shape_name(&n->shape) : NULL;

		if (!c->tells[i * c->ngoals + k]) {
			free(shape);
			continue;
		}
		if (n->kind <= GOAL_AGAIN)
			tell(&r->tells, xasprintf("%s %s", n->kind == GOAL_TIMES ? "times" : n->kind == GOAL_KEPT ?
			    "memory" : "recomputation", shape));
		else if (n->kind == GOAL_SENT && n->sent.members > 0)
			tell(&r->tells, xasprintf("%s of %d", sendings[n->sent.what], n->sent.members));
		else if (n->kind == GOAL_SENT)
			tell(&r->tells, xasprintf("%s between nodes", sendings[n->sent.what]));
		else if (n->kind == GOAL_BASE)
			tell(&r->tells, xstrdup("base"));
		for (int f = 0; f < FACTORS && n->kind == GOAL_APART; f++)
			if (all->at[i].x[f] != all->at[base_of(all, n->regime)].x[f])
				tell(&r->tells, xstrdup(factor_names[f]));
		free(shape);
	}
	if (r->tells.n == 0)
		for (int f = 0; f < FACTORS; f++)
			if (base_of(all, regime_of(&r->of)) >= 0 &&
			    all->at[i].x[f] != all->at[base_of(all, regime_of(&r->of))].x[f])
				tell(&r->tells, xstrdup(factor_names[f]));
}

/* Return the margin of all selected runs of a regime. The base is the first of them. */
static double
margin_of(struct selection *c, const struct offers *all, int regime)
{
	double (*x)[FACTORS] = xcalloc(all->n + 1, sizeof *x), margin;
	int base = base_of(all, regime), n = 0;

	for (size_t i = 0; i < all->n; i++)
		if (c->taken[i] && regime_of(&all->at[i].run.of) == regime && all->at[i].run.of.pp == 1 &&
		    all->at[i].run.purpose != RUN_STATIC) {
			if ((int)i == base && n > 0)
				memcpy(x[n], x[0], sizeof *x);
			memcpy(x[(int)i == base ? 0 : n], all->at[i].x, sizeof *x);
			n++;
		}
	margin = n == 0 ? INFINITY : factors_margin(n, (const double (*)[FACTORS])x, c->moves[regime],
	    c->unsure[regime]);
	free(x);
	return margin;
}

struct selection
choose(struct offers *all, const struct asked *a, const struct site *s)
{
	struct selection c = { .noffers = all->n };

	list_goals(&c, all, a, s);
	c.tells = xcalloc(all->n * c.ngoals + 1, sizeof *c.tells);
	c.taken = xcalloc(all->n + 1, sizeof *c.taken);
	for (size_t k = 0; k < c.ngoals; k++) {
		c.goal[k].never = true;
		for (size_t i = 0; i < all->n; i++)
			if ((c.tells[i * c.ngoals + k] = tells(&c.goal[k], all, i, s, c.moves[c.goal[k].regime])))
				c.goal[k].never = false;
	}
	for (size_t i = 0; i < all->n; i++)
		c.taken[i] = forced(&all->at[i]);
	take_greedily(&c, all);
	while (exchange_any(&c, all))
		continue;
	for (size_t i = 0; i < all->n; i++)
		if (c.taken[i] && !all->at[i].known)
			name_tells(&c, all, i);
	for (int r = 0; r < REGIMES; r++)
		c.margin[r] = margin_of(&c, all, r);
	return c;
}

void
selection_free(struct selection *c)
{
	free(c->goal);
	free(c->tells);
	free(c->taken);
}
