/* All plans for a question, simulated by adversary_step.h. */
#ifndef ADVERSARY_PLANS_H
#define ADVERSARY_PLANS_H

#include "adversary_question.h"

enum { PLANS = 20000 };
static const double FITS = 1e-7;	/* tolerance over a limit, MB */

struct choices {
	int n;
	/* times and memory of the piece on each stage that holds it, by choice */
	struct load load[STAGES][CHOICES];
};

static inline bool
holds(const struct order *o, int stage, int piece)
{
	bool any = false;

	for (int i = 0; i < o->npieces[stage]; i++)
		any |= o->of[stage][i] == piece;
	return any;
}

/*
 * Set TYPE[layers] to the types of the layers that are not bound, in the order in which they are placed. Return their
 * number.
 */
static inline int
sequence(const struct question *q, int *type)
{
	int n = 0;

	for (int side = -1; side <= 1; side++)
		for (int t = 0; t < q->ntypes; t++)
			for (int i = 0; i < q->type[t].n && q->type[t].side == side && !q->type[t].bound; i++)
				type[n++] = t;
	return n;
}

/* Return whether lists of patterns can express these kinds. Each list counts from the first layer of the body on. */
static inline bool
sayable(const struct question *q, const int *type, const int *kind, int n)
{
	static const int patterns[KINDS] = { 0, 1, 2, 3, 7, 8 };

	for (int i = 1; i < n; i++)
		if (q->type[type[i - 1]].side == 0 && (patterns[kind[i]] & ~patterns[kind[i - 1]]))
			return false;
	for (int i = 0; i < n; i++)
		if (kind[i] == OWN)
			return false;
	return true;
}

static inline bool
alike(const struct question *q, const int *type, const int *kind, int n)
{
	int left = q->alike == FULL ? q->alike_layers : n;
	bool good = true, first = q->target != NULL && q->target->mixes == 'u';

	for (int i = 0; i < n; i++) {
		bool body = q->type[type[i]].side == 0 &&
		    !(first && q->alike == FULL && q->type[type[i]].predicts);

		good &= kind[i] == (body && left > 0 ? q->alike : NONE);
		left -= body;
	}
	return good;
}

/* The number of fully recomputed layers, and the layers of each piece. */
static inline bool
whole(const struct question *q, const int *type, const int *kind, int n)
{
	bool good = q->target->any_layers || sayable(q, type, kind, n);

	for (int i = 0; i < n; i++)
		good &= kind[i] == NONE || (kind[i] == FULL && (q->target->any_layers || !q->type[type[i]].predicts));
	return good;
}

static inline bool
may(const struct question *q, const int *type, const int *kind, int n)
{
	return q->mixes == 'a' || (q->mixes == 'u' ? alike(q, type, kind, n) : q->mixes == 'w' ?
	    whole(q, type, kind, n) : sayable(q, type, kind, n));
}

static inline void
set_load(const struct question *q, const struct order *o, struct load *l, int piece, int stage, const int *type,
    const int *kind, int n)
{
	double sum[3] = { 0 };

	*l = (struct load){ .forward = 0 };
	for (int i = 0; i < n; i++)
		add_layers(q, l, type[i], kind[i], 1, stage, sum);
	if (q->link > 0)
		l->backward += fmax(0, 2 * sum[2] / q->link - sum[0] - sum[1]);
	add_ends(q, l, piece, o->pieces, stage);
}

/* Return the next kind after K that layers have; -1 if none exists. */
static inline int
next_kind(const struct layers *l, int k)
{
	while (++k < KINDS && !l->has[k])
		;
	return k < KINDS ? k : -1;
}

/*
 * List the ways to recompute N layers of a piece. Ways with the same numbers of layers by kind are listed once. Return
 * false if they are too many.
 */
static inline bool
list_choices(const struct question *q, const struct order *o, int piece, const int *type, int n, struct choices *c)
{
	int kind[LAYERS], i;

	c->n = 0;
	for (i = 0; i < n; i++)
		kind[i] = next_kind(&q->type[type[i]], -1);
	do {
		struct load l[STAGES];
		bool good = may(q, type, kind, n);
		int one = -1;

		for (int s = 0; s < q->stages && good; s++)
			if (holds(o, s, piece)) {
				set_load(q, o, &l[s], piece, s, type, kind, n);
				one = s;
			}
		for (i = 0; i < c->n && good; i++)
			good = memcmp(c->load[one][i].count, l[one].count, sizeof l[one].count) != 0;
		if (good) {
			if (c->n == CHOICES)
				return false;
			for (int s = 0; s < q->stages; s++)
				if (holds(o, s, piece))
					c->load[s][c->n] = l[s];
			c->n++;
		}
		for (i = 0; i < n && (kind[i] = next_kind(&q->type[type[i]], kind[i])) < 0; i++)
			kind[i] = next_kind(&q->type[type[i]], -1);
	} while (i < n);
	return true;
}

struct best {
	long plans, fitting;
	double step, excess;
};

static inline bool
try_choices(const struct question *q, const struct order *o, struct choices *const c[], struct best *b)
{
	int pick[PIECES] = { 0 }, i;
	double product = 1;

	for (i = 0; i < o->pieces; i++)
		product *= c[i]->n;
	if ((double)b->plans + product > PLANS)
		return false;
	if (product == 0)
		return true;
	do {
		const struct load *load[STAGES][PIECES] = { { NULL } };
		double over = -INFINITY;
		struct outcome out;

		for (int s = 0; s < q->stages; s++)
			for (i = 0; i < o->pieces; i++)
				load[s][i] = &c[i]->load[s][pick[i]];
		out = run_plan(q, o, load);
		b->plans++;
		for (int s = 0; s < q->stages; s++)
			over = fmax(over, out.peak[s] - q->limit[q->nlimits > 1 ? s : 0]);
		b->excess = fmin(b->excess, over);
		/* Undecidable: rounding of sums in another order decides whether the plan fits. */
		if (fabs(over - FITS) < FITS / 10)
			return false;
		if (over <= FITS) {
			b->fitting++;
			b->step = fmin(b->step, out.step);
		}
		for (i = 0; i < o->pieces && ++pick[i] == c[i]->n; i++)
			pick[i] = 0;
	} while (i < o->pieces);
	return true;
}

/* Choices of each piece from each layer on, computed at first use. */
static struct choices *known[PIECES][LAYERS + 1][LAYERS + 1];

/*
 * Return whether all layers that predict further tokens are in the framework's piece, the ends in the first and the
 * last piece, and a further layer in every piece that needs one.
 */
static inline bool
layers_may(const struct question *q, const struct order *o, int piece, const int *type, int first, int n, int all)
{
	int here = 0, more = 0, stage = 0, body = 0, last = o->pieces - 1;
	bool end = false;

	if (q->target == NULL)
		return true;
	for (int i = first; i < first + n; i++) {
		int side = q->type[type[i]].side;

		body += side == 0;
		end |= side != 0;
		if ((side < 0 && piece > 0) || (side > 0 && piece < last))
			return false;
	}
	if (end && body == 0 && !q->target->alone)
		return false;
	for (int i = 0; i < all; i++)
		if (q->type[type[i]].predicts)
			*(i >= first && i < first + n ? &here : &more) += 1;
	if (q->target->predicting == ANYWHERE || here == 0 || o->pieces == 1)
		return true;
	while (!holds(o, stage, piece))
		stage++;
	return more == 0 && (q->target->predicting == LAST_PIECE || strcmp(q->schedule, "zb-h1") == 0 ||
	    strcmp(q->schedule, "zbv") == 0 ? piece == o->pieces - 1 :
	    o->of[stage][o->npieces[stage] - 1] == piece && stage > 0);
}

static inline bool
try_layouts(const struct question *q, const struct order *o, const int *type, int left, int piece, int first,
    struct choices **c, struct best *b)
{
	int later = 0, n = needed(q, piece, o->pieces);

	if (piece == o->pieces)
		return try_choices(q, o, c, b);
	for (int i = piece + 1; i < o->pieces; i++)
		later += needed(q, i, o->pieces);
	for (n = piece == o->pieces - 1 ? left : n; n <= left - later; n++) {
		struct choices **to = &known[piece][first][n];

		if (!layers_may(q, o, piece, type, first, n, first + left))
			continue;
		if (*to == NULL) {
			*to = malloc(sizeof **to);
			if (n > 6 || !list_choices(q, o, piece, type + first, n, *to))
				return false;
		}
		c[piece] = *to;
		if (!try_layouts(q, o, type, left - n, piece + 1, first + n, c, b))
			return false;
	}
	return true;
}

static inline void
forget(void)
{
	for (int i = 0; i < PIECES * (LAYERS + 1) * (LAYERS + 1); i++) {
		free((&known[0][0][0])[i]);
		(&known[0][0][0])[i] = NULL;
	}
}

/* Return whether the target's settings can express the plan. */
static inline bool
try_target(struct question *q, const struct order *o, const int *type, int n, struct best *b)
{
	struct choices *c[PIECES];
	bool keeps = strcmp(q->target->name, "primus") == 0 && (strcmp(q->schedule, "zb-h1") == 0 ||
	    strcmp(q->schedule, "zbv") == 0), listed = n <= LAYERS;
	int most = q->target->mixes == 'o' ? 1 : 6;

	q->mixes = 'u';
	for (int alike = -1; alike <= most && listed; alike++) {
		bool own = q->target->mixes == 'w', all = q->target->mixes == 'o';

		if ((keeps && alike != 0) || (own && alike > 0))
			continue;
		q->alike = alike < 0 ? SELECT : FULL;
		q->alike_layers = all && alike > 0 ? LAYERS : alike;
		/* The first layers are recomputed as a whole where that is known of all. */
		for (int t = 0; t < q->ntypes && alike > 0; t++)
			if (q->type[t].side == 0 && !q->type[t].has[FULL] && (all || !q->type[t].predicts))
				return listed;
		q->mixes = own && alike == 0 && !keeps ? 'w' : 'u';
		listed = try_layouts(q, o, type, n, 0, 0, c, b);
		forget();
	}
	q->mixes = 'u';
	return listed;
}

/* False: more than PLANS. */
static inline bool
try_all(struct question *q, const struct order *o, struct best *b)
{
	struct choices *c[PIECES];
	int type[LAYERS * TYPES], n = sequence(q, type), most = q->mixes == 'u' ? 6 : 0;
	bool whole = n <= LAYERS;

	*b = (struct best){ .step = INFINITY, .excess = INFINITY };
	/* The first layers are recomputed as a whole where that is known of all. */
	for (int t = 0; t < q->ntypes; t++)
		most = q->type[t].side == 0 && !q->type[t].has[FULL] ? 0 : most;
	if (q->target != NULL && q->target->mixes != 'y')
		return try_target(q, o, type, n, b);
	for (int alike = q->mixes == 'u' ? -3 : 0; alike <= most && whole; alike++) {
		q->alike = alike == -3 ? BOTH : alike == -2 ? COMM : alike < 0 ? SELECT : FULL;
		q->alike_layers = alike;
		whole = try_layouts(q, o, type, n, 0, 0, c, b);
		forget();
	}
	return whole;
}

/* Set limits near the memory of a random plan. */
static inline bool
draw_limits(struct question *q, const struct order *o)
{
	int type[LAYERS * TYPES], n = sequence(q, type), first = 0, kind[LAYERS * TYPES];
	struct load load[STAGES][PIECES];
	const struct load *at[STAGES][PIECES];
	double most = 0, factor = 0.6 + 0.1 * below(q, 8);
	struct outcome out;

	if (n > LAYERS)
		return false;
	for (int i = 0; i < n; i++)
		for (kind[i] = below(q, KINDS); !q->type[type[i]].has[kind[i]];)
			kind[i] = (kind[i] + 1) % KINDS;
	for (int i = 0; i < o->pieces; i++) {
		int to = (i + 1) * n / o->pieces;

		for (int s = 0; s < q->stages; s++) {
			set_load(q, o, &load[s][i], i, s, type + first, kind + first, to - first);
			at[s][i] = &load[s][i];
		}
		first = to;
	}
	out = run_plan(q, o, at);
	for (int s = 0; s < q->stages; s++)
		most = fmax(most, out.peak[s]);
	q->nlimits = below(q, 2) ? q->stages : 1;
	for (int s = 0; s < q->stages; s++)
		q->limit[s] = fmax(1, q->nlimits == 1 ? most * factor : below(q, 3) ? out.peak[s] * factor :
		    out.peak[s] - FITS * 0.1 * below(q, 9));
	return true;
}

#endif
