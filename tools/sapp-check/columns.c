/* Columns: the contents of a stage's chunks, chunk by chunk, then the ways to recompute them. */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum { COLUMNS_MAX = 1 << 22, TRIES_MAX = 1 << 26 };

struct lister {			/* lists the columns of one stage */
	struct columns *to;
	const struct check_question *q;
	int stage, begin;	/* begin: first layer of the stage, if columns depend on it */
	struct moments moments;
	int *content, *mix;	/* [chunks], contents and mixes chosen for the first chunks */
	int *known;		/* [chunks][mixes], index of the hold of each mix of each content; -1: not made yet */
	int *first;		/* [contents + 1], index of each content's first mix */
	/* [contents], 1 + index of the fastest mix that fits, with one chunk; -1: none fits, 0: not searched yet */
	int *fastest;
	long tries;
	mpz_t sum, fixed;
};

static const struct check_content *
chosen(const struct lister *l, int chunk)
{
	return &l->to->contents.at[l->content[chunk]];
}

static const struct check_mix *
chosen_mix(const struct lister *l, int chunk)
{
	return &chosen(l, chunk)->best.mix[l->mix[chunk]];
}

/* Return the MB in use only while CHUNK runs (-1: no chunk). CHUNKS: number of chunks that have contents. */
static mpz_srcptr
transient(const struct lister *l, int chunk, int chunks)
{
	const struct check_end *end[2];
	mpz_srcptr most = chunk >= 0 && chunk < chunks ? chosen(l, chunk)->transient : NULL;

	if (chunk < 0)
		return NULL;
	for (int i = question_ends(l->q, l->stage, chunk, end); i-- > 0; ) {
		mpz_srcptr of = ledger_at(&l->q->mb, end[i]->transient);

		most = most == NULL || mpz_cmp(of, most) > 0 ? of : most;
	}
	return most;
}

/* Return whether the first CHUNKS chunks fit if the other chunks are empty. */
static bool
fits(struct lister *l, int chunks)
{
	const struct check_question *q = l->q;
	mpz_srcptr limit = ledger_at(&q->mb, q->limit[l->stage]);
	const struct check_end *end[2];
	bool good;

	l->tries++;
	mpz_set_si(l->sum, 0);
	mpz_set(l->fixed, ledger_at(&q->mb, q->constant));
	for (int v = 0; v < q->chunks; v++) {
		for (int i = question_ends(q, l->stage, v, end); i-- > 0; )
			mpz_add(l->fixed, l->fixed, ledger_at(&q->mb, end[i]->parameter));
		if (v < chunks) {
			mpz_add(l->fixed, l->fixed, chosen(l, v)->parameter);
			mpz_add(l->sum, l->sum, chosen(l, v)->floor);
		}
	}
	good = mpz_cmp(l->sum, limit) <= 0;
	for (int m = 0; m < l->moments.n && good; m++) {
		mpz_srcptr more = transient(l, l->moments.runs[m], chunks);

		mpz_set(l->sum, l->fixed);
		if (more != NULL)
			mpz_add(l->sum, l->sum, more);
		for (int v = 0; v < chunks; v++)
			mpz_addmul_ui(l->sum, chosen_mix(l, v)->activation,
			    (unsigned long)l->moments.live[m * q->chunks + v]);
		good = mpz_cmp(l->sum, limit) <= 0;
	}
	return good;
}

/*
 * Return whether the first CHUNKS chunks keep the stage busy for the claimed time, which includes the overhead after
 * the stage's operations.
 */
static bool
too_busy(struct lister *l, int chunks)
{
	const struct check_question *q = l->q;
	const struct check_end *end[2];

	mpz_set_si(l->sum, 0);
	for (int v = 0; v < q->chunks; v++) {
		for (int i = question_ends(q, l->stage, v, end); i-- > 0; ) {
			mpz_add(l->sum, l->sum, ledger_at(&q->ms, end[i]->forward));
			mpz_add(l->sum, l->sum, ledger_at(&q->ms, end[i]->backward));
		}
		if (v < chunks) {
			mpz_add(l->sum, l->sum, chosen(l, v)->forward);
			mpz_add(l->sum, l->sum, chosen_mix(l, v)->backward);
		}
	}
	mpz_mul(l->sum, l->sum, ledger_at(&q->pace, q->paces[l->stage]));
	mpz_mul_si(l->sum, l->sum, q->asked->micro_batches);
	mpz_addmul(l->sum, ledger_at(&q->ms, q->late[l->stage]), q->pace.parts);
	return q->bound >= 0 && mpz_cmp(l->sum, l->to->claim) >= 0;
}

static int
hold_of(const struct lister *l, int chunk)
{
	const struct check_question *q = l->q;
	int *known = &l->known[chunk * l->first[l->to->contents.n] + l->first[l->content[chunk]] + l->mix[chunk]];
	const struct check_end *end[2];
	struct hold *h;

	if (*known >= 0)
		return *known;
	*known = l->to->nhold;
	h = APPEND(l->to->hold, l->to->nhold);
	*h = (struct hold){ .piece = chunk * q->asked->stages + l->stage, .content = l->content[chunk],
		.mix = l->mix[chunk], .recomputed = chosen_mix(l, chunk)->backward };
	mpz_init_set(h->forward, chosen(l, chunk)->forward);
	mpz_init_set(h->backward, h->recomputed);
	for (int i = question_ends(q, l->stage, chunk, end); i-- > 0; ) {
		mpz_add(h->forward, h->forward, ledger_at(&q->ms, end[i]->forward));
		mpz_add(h->backward, h->backward, ledger_at(&q->ms, end[i]->backward));
	}
	mpz_mul(h->forward, h->forward, ledger_at(&q->pace, q->paces[l->stage]));
	mpz_mul(h->backward, h->backward, ledger_at(&q->pace, q->paces[l->stage]));
	return *known;
}

static bool
too_many(const struct lister *l)
{
	return l->to->n >= COLUMNS_MAX || l->tries >= TRIES_MAX;
}

static void
add_column(struct lister *l)
{
	struct columns *c = l->to;
	int chunks = l->q->chunks, layers = 0;

	for (int v = 0; v < chunks; v++)
		layers += chosen(l, v)->layers;
	if (layers >= c->contents.width)
		return;
	c->cell = array_room(c->cell, (size_t)c->n, sizeof *c->cell);
	c->cell[c->n] = (l->stage * c->begins + l->begin) * c->contents.width + layers;
	for (int v = 0, at = c->n * chunks; v < chunks; v++, at++) {
		c->holds = array_room(c->holds, (size_t)at, sizeof *c->holds);
		c->holds[at] = hold_of(l, v);
	}
	c->n++;
}

/* For each way to recompute the first chunks, add a column with the fastest mix of the last chunk that fits. */
static void
add_mixes(struct lister *l, int chunk)
{
	bool last = chunk == l->q->chunks - 1, done = false;

	for (int m = chosen(l, chunk)->best.n; m-- > 0 && !done && !too_many(l); ) {
		l->mix[chunk] = m;
		if (!fits(l, chunk + 1))
			continue;
		done = last || too_busy(l, chunk + 1);
		if (too_busy(l, chunk + 1))
			continue;
		if (last)
			add_column(l);
		else
			add_mixes(l, chunk + 1);
	}
}

/* Return whether column ONE, of the same contents, is at least as fast as OTHER in every chunk. */
static bool
no_slower(const struct columns *c, int one, int other)
{
	int chunks = c->question->chunks;

	for (int v = 0; v < chunks; v++)
		if (c->hold[c->holds[one * chunks + v]].mix < c->hold[c->holds[other * chunks + v]].mix)
			return false;
	return true;
}

/* Drop the columns from FROM on, which have equal contents, for which another column is at least as fast. */
static void
thin(struct columns *c, int from)
{
	int n = from, chunks = c->question->chunks;

	for (int i = from; i < c->n; i++) {
		bool needed = true;

		for (int j = from; j < c->n && needed; j++)
			needed = (j >= n && j < i) || j == i || !no_slower(c, j, i);
		if (needed)
			memmove(&c->holds[n++ * chunks], &c->holds[i * chunks], (size_t)chunks * sizeof *c->holds);
	}
	c->n = n;
}

/*
 * Add columns for the contents of CHUNK and later chunks. The chunks so far must fit with their least activation. With
 * their least time they must keep the stage busy for less than the claim.
 */
static void
add_contents(struct lister *l, int chunk)
{
	const struct check_question *q = l->q;

	if (chunk == q->chunks) {
		int from = l->to->n;

		add_mixes(l, 0);
		thin(l->to, from);
		return;
	}
	for (int c = 0; c < l->to->contents.n && !too_many(l); c++) {
		bool good = true;

		l->content[chunk] = c;
		memset(l->mix, 0, ((size_t)chunk + 1) * sizeof *l->mix);
		if (!question_holds(q, l->stage, chunk, chosen(l, chunk)->count) || chosen(l, chunk)->best.n == 0)
			continue;
		for (int v = 0; v < chunk; v++)
			good &= contents_before(&l->to->contents, l->content[v], c);
		good = good && fits(l, chunk + 1);
		for (int v = 0; v <= chunk; v++)
			l->mix[v] = chosen(l, v)->best.n - 1;
		if (good && !too_busy(l, chunk + 1))
			add_contents(l, chunk + 1);
	}
}

/* List the columns with one chunk per stage. Model order determines their first layers. */
static void
add_runs(struct lister *l)
{
	const struct check_contents *c = &l->to->contents;

	for (l->begin = 0; l->begin <= l->q->layers; l->begin++)
		for (int n = 0; n < c->width && !too_many(l); n++) {
			int *fastest, before = l->to->n;

			l->content[0] = check_contents_find(c, l->begin, n);
			if (l->content[0] < 0 || !question_holds(l->q, l->stage, 0, c->at[l->content[0]].count) ||
			    *(fastest = &l->fastest[l->content[0]]) < 0)
				continue;
			l->mix[0] = *fastest - 1;
			if (*fastest > 0)
				add_column(l);
			else
				add_mixes(l, 0);
			*fastest = l->to->n > before ? l->mix[0] + 1 : -1;
		}
}

/* Return the maximum number of layers in a run that any stage may hold, by the least times of layers. */
static int
most_layers(const struct columns *c)
{
	const struct check_question *q = c->question;
	mpz_t least, most, each, pace;
	int n = q->layers;

	mpz_inits(least, most, each, pace, NULL);
	mpz_set(pace, ledger_at(&q->pace, q->paces[0]));
	for (int s = 1; s < q->asked->stages; s++)
		if (mpz_cmp(ledger_at(&q->pace, q->paces[s]), pace) < 0)
			mpz_set(pace, ledger_at(&q->pace, q->paces[s]));
	for (int b = 0; b < q->nbodies; b++) {
		mpz_set_si(each, -1);
		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (q->body[b].has[k] && (mpz_sgn(each) < 0 ||
			    mpz_cmp(ledger_at(&q->ms, q->body[b].backward[k]), each) < 0))
				mpz_set(each, ledger_at(&q->ms, q->body[b].backward[k]));
		if (mpz_sgn(each) < 0)
			mpz_set_si(each, 0);
		mpz_add(each, each, ledger_at(&q->ms, q->body[b].forward));
		if (b == 0 || mpz_cmp(each, least) < 0)
			mpz_set(least, each);
	}
	mpz_mul(least, least, pace);
	mpz_mul_si(least, least, q->asked->micro_batches);
	if (q->bound >= 0 && mpz_sgn(least) > 0) {
		mpz_fdiv_q(most, c->claim, least);
		if (mpz_cmp_si(most, n) < 0)
			n = mpz_sgn(most) < 0 ? 0 : (int)mpz_get_si(most);
	}
	mpz_clears(least, most, each, pace, NULL);
	return n > 0 ? n : 0;
}

static void
list_stage(struct lister *l)
{
	struct columns *c = l->to;
	int mixes = l->q->chunks * l->first[c->contents.n];

	memset(l->known, -1, (size_t)mixes * sizeof *l->known);
	memset(l->fastest, 0, (size_t)c->contents.n * sizeof *l->fastest);
	l->begin = 0;
	l->moments = question_moments(l->q, l->stage);
	if (l->q->chunks == 1)
		add_runs(l);
	else
		add_contents(l, 0);
	moments_free(&l->moments);
}

bool
columns_open(struct columns *c, const struct check_question *q)
{
	struct lister l = { .to = c, .q = q };
	size_t chunks = (size_t)q->chunks;

	*c = (struct columns){ .question = q, .begins = q->chunks == 1 ? q->layers + 1 : 1 };
	mpz_init(c->claim);
	if (q->bound >= 0) {
		mpz_sub(c->claim, ledger_at(&q->ms, q->bound), ledger_at(&q->ms, q->rest));
		mpz_mul(c->claim, c->claim, q->pace.parts);
	}
	contents_open(&c->contents, q, most_layers(c));
	l.first = xcalloc((size_t)c->contents.n + 1, sizeof *l.first);
	for (int i = 0; i < c->contents.n; i++)
		l.first[i + 1] = l.first[i] + c->contents.at[i].best.n;
	l.fastest = xcalloc((size_t)c->contents.n, sizeof *l.fastest);
	l.content = xcalloc(chunks, sizeof *l.content);
	l.mix = xcalloc(chunks, sizeof *l.mix);
	l.known = xcalloc(chunks * (size_t)l.first[c->contents.n] + 1, sizeof *l.known);
	mpz_inits(l.sum, l.fixed, NULL);
	for (l.stage = 0; l.stage < q->asked->stages && !too_many(&l); l.stage++)
		list_stage(&l);
	mpz_clears(l.sum, l.fixed, NULL);
	free(l.first);
	free(l.fastest);
	free(l.content);
	free(l.mix);
	free(l.known);
	return !too_many(&l);
}

void
columns_free(struct columns *c)
{
	for (int i = 0; i < c->nhold; i++) {
		mpz_clear(c->hold[i].forward);
		mpz_clear(c->hold[i].backward);
	}
	free(c->hold);
	free(c->cell);
	free(c->holds);
	mpz_clear(c->claim);
	check_contents_free(&c->contents);
}
