/* MIP lists: a chain is chosen for each piece, and the levels of this chain that each body uses. */
#include "mip_lists.h"

#include <stdlib.h>

#include "lib/base/alloc.h"

/*
 * A cut of a chain. A piece may have layers of a body and of earlier bodies with kinds after the cut. Or it may have
 * layers of later bodies with kinds before the cut. It cannot have both. Chains with equal cuts share a cut.
 */
struct cut {
	unsigned upto;		/* set of 1 << kind: the kinds before the cut */
	unsigned chains;	/* set of 1 << chain: the chains with this cut */
};

struct lists {
	struct lp_model *l;
	int chains, cuts;
	unsigned has[CHAINS_MAX];	/* [chains], kinds of each chain */
	struct cut cut[CHAINS_MAX * RECOMPUTE_KINDS];
	int *chosen;		/* [chains], columns of the current piece; 0: only one chain exists */
};

/* Return the kinds that layers of any body can use. */
static unsigned
present(const struct network *net)
{
	unsigned kinds = 0;

	for (int b = 0; b < net->nbodies; b++)
		for (int k = 0; k < RECOMPUTE_KINDS && net->body[b].side == 0; k++)
			kinds |= (unsigned)net->body[b].has[k] << k;
	return kinds;
}

/* Return the kinds of the first LEVELS levels of a chain that layers can use. */
static unsigned
first_levels(const struct nesting *n, int chain, int levels, unsigned kinds)
{
	unsigned first = 0;

	for (int s = 0; s < levels && s < n->levels[chain]; s++)
		first |= n->level[chain][s] & kinds;
	return first;
}

/* Return whether another chain has all levels of a chain. Of two equal chains only the first counts. */
static bool
covered(const struct nesting *n, int chain, unsigned kinds)
{
	unsigned all = first_levels(n, chain, RECOMPUTE_KINDS, kinds);

	for (int c = 0; c < n->chains; c++) {
		unsigned other = first_levels(n, c, RECOMPUTE_KINDS, kinds);
		bool every = c != chain && (other & all) == all && (other != all || c < chain);

		for (int s = 1; s < n->levels[chain] && every; s++) {
			unsigned first = first_levels(n, chain, s, kinds);
			bool found = false;

			for (int i = 0; i <= n->levels[c]; i++)
				found |= (first_levels(n, c, i, kinds) & all) == first;
			every = found;
		}
		if (every)
			return true;
	}
	return false;
}

/* Add a cut. Two chains with equal cuts share it, because the kinds outside of the chosen chain are unused. */
static void
add_cut(struct lists *m, unsigned upto, int chain)
{
	unsigned has = m->has[chain];

	for (int i = 0; i < m->cuts; i++) {
		struct cut *c = &m->cut[i];
		bool same = ((c->upto | upto) & has) == upto && !(c->chains >> chain & 1);

		for (int d = 0; d < chain && same; d++)
			same = !(c->chains >> d & 1) || ((c->upto | upto) & m->has[d]) == (c->upto & m->has[d]);
		if (same) {
			c->upto |= upto;
			c->chains |= 1u << chain;
			return;
		}
	}
	m->cut[m->cuts++] = (struct cut){ upto, 1u << chain };
}

static struct lists
lists_of(struct lp_model *l)
{
	const struct network *net = l->p->net;
	const struct nesting *n = net->nesting != NULL ? net->nesting : &nesting_built_in;
	struct lists m = { .l = l };
	unsigned kinds = present(net);

	for (int c = 0; c < n->chains; c++) {
		unsigned before = 0;

		if (covered(n, c, kinds))
			continue;
		m.has[m.chains] = first_levels(n, c, RECOMPUTE_KINDS, kinds);
		for (int s = 1; s < n->levels[c]; s++) {
			unsigned upto = first_levels(n, c, s, kinds);

			if (upto != 0 && upto != before && upto != m.has[m.chains])
				add_cut(&m, upto, m.chains);
			before = upto;
		}
		m.chains++;
	}
	m.chosen = xcalloc((size_t)m.chains, sizeof *m.chosen);
	return m;
}

/* Add columns and rows for the choice of one chain for a piece. The kinds outside of this chain are not used. */
static void
add_chains(struct lists *m, int piece)
{
	struct lp_model *l = m->l;
	char *at = mip_piece_label(l->p, piece);
	unsigned all = ~0u, any = 0;

	for (int c = 0; c < m->chains; c++) {
		m->chosen[c] = mip_choice(l, xasprintf("chain_%d_%s", c, at));
		lp_put(l->lp, m->chosen[c], 1);
		all &= m->has[c];
		any |= m->has[c];
	}
	mip_row_end(l, LP_EQUAL, 1, xasprintf("chain_%s", at));
	for (int k = 0; k < recompute_known(); k++) {
		char *kind = mip_kind_label(k);
		bool used = false;

		for (int i = 0; i < l->columns && (any & ~all) >> k & 1; i++)
			if (l->column[i].piece == piece && l->column[i].kind == k &&
			    l->p->net->body[l->column[i].body].side == 0) {
				lp_put(l->lp, i + 2, 1);
				used = true;
			}
		for (int c = 0; c < m->chains && used; c++)
			if (m->has[c] >> k & 1)
				lp_put(l->lp, m->chosen[c], -l->p->contents.most);
		if (used)
			mip_row_end(l, LP_AT_MOST, 0, xasprintf("only_%s_%s", kind, at));
		free(kind);
	}
	free(at);
}

/*
 * Add rows for the order of levels in a piece: see struct cut. They restrict nothing if a chain without this cut is
 * chosen.
 */
static void
add_order(struct lists *m, int piece, int body, int cut)
{
	struct lp_model *l = m->l;
	const struct cut *c = &m->cut[cut];
	char *label = mip_body_label(l->p, body), *at = mip_piece_label(l->p, piece);
	bool always = c->chains == (1u << m->chains) - 1;
	int most = l->p->contents.most, choice = mip_choice(l, xasprintf("beyond_%d_%s_%s", cut, at, label));

	for (int later = 0; later < 2; later++) {
		for (int i = 0; i < l->columns; i++) {
			const struct counted *n = &l->column[i];

			if (n->piece == piece && (n->body > body) == later && l->p->net->body[n->body].side == 0 &&
			    (c->upto >> n->kind & 1) == (unsigned)later)
				lp_put(l->lp, i + 2, 1);
		}
		for (int d = 0; d < m->chains && !always; d++)
			if (c->chains >> d & 1)
				lp_put(l->lp, m->chosen[d], most);
		lp_put(l->lp, choice, later ? most : -most);
		mip_row_end(l, LP_AT_MOST, (later ? most : 0) + (always ? 0 : most),
		    xasprintf("%s_%d_%s_%s", later ? "later" : "first", cut, at, label));
	}
	free(label);
	free(at);
}

void
mip_lists_add(struct lp_model *l)
{
	struct lists m = lists_of(l);

	for (int piece = 0; piece < l->p->pieces; piece++) {
		if (m.chains > 1)
			add_chains(&m, piece);
		for (int b = 0; b + 1 < l->p->net->nbodies; b++)
			for (int i = 0; i < m.cuts; i++)
				add_order(&m, piece, b, i);
	}
	free(m.chosen);
}
