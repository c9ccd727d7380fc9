#include "replica.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "lib/base/random.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/model/tier.h"
#include "sapp-lp/pattern/recompute_greedy.h"

enum {
	BODIES_QUICK = 8,	/* maximum number of bodies with which making a front is fast */
	DRAWS = 4,		/* number of pieces drawn, of which the busiest or the least busy is chosen */
};
/* comparisons of backward times up to which lists are always worth their cost */
static const double SETTINGS_WORK = 5e7;
static const size_t SETTINGS_BYTES = 200000000;	/* size of the cache at which it is emptied */

struct proposer
proposer_new(const struct problem *p, const struct visits *weight, uint64_t seed)
{
	struct proposer g = { .p = p, .cache = settings_cache_new(p, false),
		.random = seed * RANDOM_ODD + 0x2545f4914f6cdd1du, .deadline = INFINITY,
		.value = xcalloc((size_t)p->chunks, sizeof(double)),
		.part = xcalloc((size_t)p->chunks, sizeof(double)) };

	/* Copy the weights, because another thread continues their relaxation. */
	if (weight != NULL) {
		g.weight = visits_new(p);
		visits_copy(p, &g.weight, weight);
	}
	return g;
}

void
proposer_free(struct proposer *g)
{
	settings_cache_free(&g->cache);
	free(g->weight.at);
	free(g->value);
	free(g->part);
}

void
proposer_forget(struct proposer *g)
{
	if (g->cache.bytes <= SETTINGS_BYTES)
		return;
	settings_cache_free(&g->cache);
	g->cache = settings_cache_new(g->p, false);
}

static int *
integers(int n)
{
	return xcalloc((size_t)n, sizeof(int));
}

struct replica
replica_new(const struct problem *p)
{
	return (struct replica){ p, candidate_new(p), candidate_new(p), integers(p->pieces), integers(p->pieces), 0,
		integers(p->stages) };
}

void
replica_free(struct replica *r)
{
	candidate_free(&r->now);
	candidate_free(&r->old);
	free(r->layers);
	free(r->old_layers);
	free(r->stage);
}

void
replica_load(struct replica *r, const struct candidate *c)
{
	candidate_copy(r->p, &r->now, c);
	for (int i = 0; i < r->p->pieces; i++)
		r->layers[i] = r->p->contents.content[c->content[i]].layers;
}

static void
touch(struct replica *r, int stage)
{
	for (int i = 0; i < r->n; i++)
		if (r->stage[i] == stage)
			return;
	r->stage[r->n++] = stage;
}

/* Draw random weights of the chunks' backward times, near the chunks' visits in the mean of paths. */
static void
draw_values(struct proposer *g, int stage)
{
	const struct problem *p = g->p;

	for (int v = 0; v < p->chunks; v++) {
		double w = g->weight.at != NULL ? piece_worth(p, v * p->stages + stage, &g->weight).backward : p->micro;

		g->value[v] = (w + 0.1 * p->micro) * (0.2 + xorshift_unit(&g->random));
		/*
		 * A ms of the weight gradient part is worth at most as much as a ms of the rest of the backward, and at
		 * least nothing.
		 */
		g->part[v] = p->parts ? -g->value[v] * xorshift_unit(&g->random) : 0;
	}
}

/*
 * Choose a setting from the list. One time in four choose any setting, otherwise the best setting for random weights of
 * the chunks.
 */
static int
choose(struct proposer *g, int stage, const struct stage_settings *settings)
{
	const struct problem *p = g->p;
	const double *row = settings->backward, *part = settings->gradient;
	double least = INFINITY;
	int best = 0;

	if (settings->n == 1)
		return 0;
	if (xorshift_below(&g->random, 4) == 0)
		return xorshift_below(&g->random, settings->n);
	draw_values(g, stage);
	for (int i = 0; i < settings->n; i++, row += p->chunks, part += p->chunks) {
		double sum = 0;

		for (int v = 0; v < p->chunks; v++)
			sum += g->value[v] * row[v] + g->part[v] * part[v];
		if (sum < least) {
			least = sum;
			best = i;
		}
	}
	return best;
}

/*
 * Choose a setting without a list: change the previous mixes until they fit. Half of the time one chunk's mix is
 * redrawn first.
 */
static bool
adjust(struct replica *r, struct proposer *g, int stage, const int *content, int *mix)
{
	const struct problem *p = g->p;

	for (int v = 0; v < p->chunks; v++) {
		int last = contents_front(&p->contents, content[v])->n - 1, piece = v * p->stages + stage;
		int before = contents_front(&p->contents, r->old.content[piece])->n - 1;

		mix[v] = before > 0 ? r->old.mix[piece] * last / before : last;
	}
	if (xorshift_below(&g->random, 2) == 0) {
		int v = xorshift_below(&g->random, p->chunks);

		mix[v] = xorshift_below(&g->random, contents_front(&p->contents, content[v])->n);
	}
	draw_values(g, stage);
	return recompute_from(p, stage, content, g->value, mix);
}

/*
 * Return whether to list the settings of new contents: as long as lists have cost no more than simulations. With
 * hundreds of layers, contents rarely recur. The cost is counted, not timed, so that a search is reproducible.
 */
static bool
settings_pay(const struct proposer *g)
{
	return g->cache.work < SETTINGS_WORK + g->work;
}

/*
 * Return whether the deadline has passed, if the network has many bodies. Their fronts may each take as long as many
 * rounds of a search, so the deadline is checked within rounds.
 */
static bool
late(const struct proposer *g)
{
	return g->p->net->nbodies > BODIES_QUICK && !clock_left(g->deadline);
}

/* Choose a new setting for the current contents of a stage. Return false if none fits. */
static bool
settle(struct replica *r, struct proposer *g, int stage)
{
	const struct problem *p = g->p;
	const struct stage_settings *settings;
	int content[p->chunks], mix[p->chunks];

	candidate_stage(p, &r->now, stage, content, NULL);
	if (late(g))
		return false;
	if (settings_combinations(p, content) > p->list_limits.combinations ||
	    (!settings_pay(g) && !settings_cache_has(&g->cache, stage, content))) {
		if (!adjust(r, g, stage, content, mix))
			return false;
		candidate_set_mixes(p, &r->now, stage, mix);
		return true;
	}
	settings = settings_cache_get(&g->cache, stage, content);
	if (settings->n == 0)
		return false;
	for (int at = choose(g, stage, settings), v = 0; v < p->chunks; v++)
		r->now.mix[v * p->stages + stage] = settings->mix[at * p->chunks + v];
	return true;
}

/*
 * If a border was moved into the block of layers that must share a piece, move the border on to the other side of the
 * block. Return false if a piece has too few layers for this.
 */
static bool
keep_block(struct replica *r)
{
	const struct problem *p = r->p;
	int before = 0, end = 0, old = 0;

	for (int n = 0; n < p->pieces; n++) {
		int piece = p->piece[n], at;

		end += r->layers[piece];
		old += r->old_layers[piece];
		at = end <= p->block.first || end >= p->block.end ? end :
		    old <= p->block.first ? p->block.end : p->block.first;
		if (at - before < p->fewest[piece])
			return false;
		r->layers[piece] = at - before;
		before = at;
	}
	return true;
}

/*
 * Update the contents of all pieces after layers were moved, and mark the changed stages. Return false if no such
 * contents exist.
 */
static bool
refill(struct replica *r)
{
	const struct problem *p = r->p;
	int first = 0;

	if (p->block.end > p->block.first && !keep_block(r))
		return false;
	for (int n = 0; n < p->pieces; n++) {
		int i = p->piece[n], c = piece_content(p, i, first, r->layers[i]);

		if (c < 0 || !problem_border(p, n, first))
			return false;
		if (c != r->now.content[i]) {
			r->now.content[i] = c;
			touch(r, i % p->stages);
		}
		first += r->layers[i];
	}
	return true;
}

static void
save(struct replica *r)
{
	candidate_copy(r->p, &r->old, &r->now);
	memcpy(r->old_layers, r->layers, (size_t)r->p->pieces * sizeof *r->layers);
	r->n = 0;
}

void
replica_take_back(struct replica *r)
{
	candidate_copy(r->p, &r->now, &r->old);
	memcpy(r->layers, r->old_layers, (size_t)r->p->pieces * sizeof *r->layers);
}

void
replica_copy(struct replica *to, const struct replica *from)
{
	candidate_copy(from->p, &to->now, &from->now);
	memcpy(to->layers, from->layers, (size_t)from->p->pieces * sizeof *to->layers);
}

/* Draw a random piece. With a rank, draw several and choose the busiest piece, or the least busy piece. */
static int
draw_piece(struct proposer *g, bool busiest, piece_rank *rank, void *with)
{
	int at = xorshift_below(&g->random, g->p->pieces);
	double best = rank == NULL ? 0 : rank(with, at);

	for (int i = 1; i < DRAWS && rank != NULL; i++) {
		int other = xorshift_below(&g->random, g->p->pieces);
		double busy = rank(with, other);

		if (busiest ? busy > best : busy < best) {
			best = busy;
			at = other;
		}
	}
	return at;
}

/* Return whether a layer can be taken from a piece. */
static bool
has_more(const struct replica *r, int piece)
{
	return r->layers[piece] > r->p->fewest[piece];
}

/* Move a layer from one piece to another. Return false if the piece must keep its layers. */
static bool
move_layer(struct replica *r, struct proposer *g, piece_rank *rank, void *with)
{
	int from = draw_piece(g, true, rank, with), to = draw_piece(g, false, rank, with);

	for (int tries = 0; !has_more(r, from) && tries < 8; tries++)
		from = xorshift_below(&g->random, r->p->pieces);
	if (!has_more(r, from) || from == to)
		return false;
	r->layers[from]--;
	r->layers[to]++;
	return true;
}

/*
 * Move a layer from one chunk to another on each of some neighbouring stages. If the pieces of a chunk take the same
 * time on all stages, no stage waits; moving a layer on one stage alone would change that. Return false if a piece must
 * keep its layers.
 */
static bool
move_row(struct replica *r, struct proposer *g)
{
	const struct problem *p = r->p;
	int from = xorshift_below(&g->random, p->chunks), to = xorshift_below(&g->random, p->chunks);
	int many = 1 + xorshift_below(&g->random, 1 + xorshift_below(&g->random, p->stages));
	int first = xorshift_below(&g->random, p->stages - many + 1);

	if (from == to)
		return false;
	for (int s = first; s < first + many; s++)
		if (!has_more(r, from * p->stages + s))
			return false;
	for (int s = first; s < first + many; s++) {
		r->layers[from * p->stages + s]--;
		r->layers[to * p->stages + s]++;
	}
	return true;
}

bool
replica_change(struct replica *r, struct proposer *g, piece_rank *rank, void *with)
{
	int kind = xorshift_below(&g->random, 8);
	bool row = kind == 7 && r->p->chunks > 1;

	save(r);
	if (kind < 3)
		touch(r, draw_piece(g, true, rank, with) % r->p->stages);
	else if (!(row ? move_row(r, g) : move_layer(r, g, rank, with) && (kind < 6 || move_layer(r, g, NULL, NULL))) ||
	    !refill(r))
		return false;
	for (int i = 0; i < r->n; i++)
		if (!settle(r, g, r->stage[i]))
			return false;
	return r->n > 0;
}
