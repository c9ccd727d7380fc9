/*
 * Compare the borders between kinds of layers that the filter keeps with all layouts of small questions. The filter
 * must keep the borders and patterns of every fitting layout. Few other borders should remain, and mostly none if no
 * layout fits.
 */
#include "lp_random.h"
#include "sapp-lp/exact/layouts.h"
#include "sapp-lp/pattern/node_bounds.h"
#include "sapp-lp/pattern/pattern_borders.h"
#include "sapp-lp/model/least_memory.h"
#include "tap.h"

enum { PLACES = PIECES * PIECES };

static struct tally {
	long asked, choices, possible, fitting, lost, dropped, wrong, none, said, unsaid, shrunk, outside;
} tally;

struct enumeration {
	const struct problem *p;
	const struct patterns *patterns;
	const struct pattern_borders *borders;
	bool seen[PLACES];		/* choices of borders of fitting layouts */
	int layers[PIECES];		/* by piece as chunk * stages + stage */
};

static int
place_of(const struct pattern_borders *b, const int *at)
{
	return b->borders == 1 ? at[0] : at[0] * PIECES + at[1];
}

static bool
kept(const struct patterns *c, int stage, const int *content)
{
	for (int i = 0; i < c->n[stage]; i++)
		if (memcmp(c->pattern[stage][i].content, content, (size_t)c->problem->chunks * sizeof *content) == 0)
			return true;
	return false;
}

/* Check that the borders and the patterns of a fitting layout are kept. */
static void
check_layout(struct enumeration *e, const struct candidate *c)
{
	const struct problem *p = e->p;
	int at[BODIES] = { 0 }, content[PIECES];
	bool found = false;

	for (int n = 0; n < p->pieces; n++)
		for (int b = 0; b < p->net->nbodies; b++)
			if (p->contents.content[c->content[p->piece[n]]].body[b] > 0)
				at[b] = n;
	e->seen[place_of(e->borders, at)] = true;
	tally.fitting++;
	for (int i = 0; i < e->borders->n; i++)
		found |= memcmp(&e->borders->at[i * e->borders->borders], at,
		    (size_t)e->borders->borders * sizeof *at) == 0;
	tally.lost += !found;
	for (int s = 0; s < p->stages; s++) {
		for (int v = 0; v < p->chunks; v++)
			content[v] = c->content[v * p->stages + s];
		tally.dropped += !kept(e->patterns, s, content);
	}
}

static void
enumerate(struct enumeration *e, int n, int left)
{
	const struct problem *p = e->p;
	struct candidate c;
	bool fits = true;

	if (n < p->pieces) {
		for (int k = p->fewest[p->piece[n]]; k <= left && k <= p->contents.most; k++) {
			e->layers[p->piece[n]] = k;
			enumerate(e, n + 1, left - k);
		}
		return;
	}
	if (left > 0)
		return;
	c = candidate_new(p);
	if (candidate_lay_out(p, e->layers, &c)) {
		for (int s = 0; s < p->stages; s++) {
			int content[PIECES];

			for (int v = 0; v < p->chunks; v++)
				content[v] = c.content[v * p->stages + s];
			fits &= stage_least_memory(p, s, content) <= p->limit[s];
		}
		if (fits)
			check_layout(e, &c);
	}
	candidate_free(&c);
}

/* Check the least ranges that contain the rest of one half of all borders. */
static void
check_shrink(const struct problem *p, const struct pattern_borders *b, struct question *q)
{
	struct range *half = ranges_new(b->borders, NULL);
	int low = p->pieces, high = -1, last = below(q, p->pieces);
	bool any;

	half[0].high = last;
	for (int i = 0; i < b->n; i++) {
		int at = b->at[i * b->borders];

		if (at <= last) {
			low = at < low ? at : low;
			high = at > high ? at : high;
		}
	}
	any = pattern_borders_shrink(b, half);
	tally.wrong += any != (high >= 0) || (any && (half[0].low != low || half[0].high != high));
	tally.shrunk += any && high < last;
	free(half);
}

static void
ask(int n)
{
	struct question q = { .random = RANDOM_ODD * (uint64_t)(n + 1), .digits = n % 2, .empty = n % 5 == 4,
		.transient = n % 7 == 3, .ends = n % 6 == 5, .listed = true };
	struct enumeration e = { .p = NULL };
	struct pattern_borders borders;
	struct patterns patterns;
	struct problem p;

	do
		draw_question(&q);
	while (q.shape.chunks == 1 || q.net.nbodies == 1 || q.net.layers > q.pieces + SPARE || q.net.keeps);
	draw_limits(&q);
	p = problem_new(&q.net, &q.shape, &q.devices, (struct list){ q.shape.stages, q.limit }, q.listed);
	patterns = patterns_that_fit(&p, INFINITY);
	borders = pattern_borders_new(&patterns);
	if (patterns.complete && borders.known) {
		long before = tally.fitting;
		double all = 1;
		bool none = pattern_borders_none(&p, 0, INFINITY);

		e.p = &p;
		e.patterns = &patterns;
		e.borders = &borders;
		enumerate(&e, 0, p.net->layers);
		tally.asked++;
		for (int b = 0; b < borders.borders; b++)
			all *= p.pieces;
		tally.choices += (long)all;
		tally.possible += borders.n;
		for (int i = 0; i < PLACES; i++)
			tally.outside += e.seen[i];
		tally.none += tally.fitting == before;
		tally.said += none;
		tally.unsaid += none && tally.fitting > before;
		check_shrink(&p, &borders, &q);
	}
	pattern_borders_free(&borders);
	patterns_free(&patterns);
	problem_free(&p);
}

int
main(void)
{
	int questions = draws(300, 5000);

	for (int n = 0; n < questions; n++)
		ask(n);
	printf("# %ld questions, %ld layouts that fit; borders of %ld choices, %ld are kept, %ld have a plan\n",
	    tally.asked, tally.fitting, tally.choices, tally.possible, tally.outside);
	printf("# none fits in %ld, which is said of %ld\n", tally.none, tally.said);
	ok(tally.asked > questions / 4 && tally.fitting > tally.asked, "many questions, and layouts that fit");
	same(0, tally.lost, "whose borders are all kept,");
	same(0, tally.dropped, "and whose patterns are,");
	ok(tally.possible < tally.choices / 4, "but of the others many are not,");
	ok(tally.possible - tally.outside < tally.outside / 2, "so that few have no plan;");
	same(0, tally.unsaid, "if it reports that no plan fits, none does,");
	ok(tally.said > tally.none * 2 / 3 && tally.none > tally.asked / 20, "mostly if none does");
	same(0, tally.wrong, "ranges of borders become the least that contain the rest,");
	ok(tally.shrunk > tally.asked / 40, "often smaller ones");
	return tap_done();
}
