/* Pricing: Lagrangian bounds on the cost of the contents of a stage's chunks. */
#include "pricing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "sapp-lp/model/tier.h"

enum { MULTIPLIERS = 100 };	/* maximum number of sets per stage */

/* Enlarge least[SET] to the stage's room. Its entries from FROM on are unknown. */
static void
make_room(struct pricing *s, int set, int from)
{
	s->least[set] = xreallocarray(s->least[set], (size_t)s->room, sizeof **s->least);
	for (int i = from; i < s->room; i++)
		s->least[set][i] = NAN;
}

/* Return the index of a chunk's content in least[]. It is created on first use. */
static int
place_of(struct pricing *s, int chunk, int content)
{
	size_t contents = (size_t)s->problem->contents.ncontents;
	int *place;

	if (s->place == NULL)
		s->place = xcalloc((size_t)s->problem->chunks * contents, sizeof *s->place);
	place = &s->place[(size_t)chunk * contents + (size_t)content];
	if (*place == 0)
		*place = ++s->places;
	if (s->places > s->room) {
		s->room = 2 * s->places;
		for (int i = 0; i < s->n; i++)
			make_room(s, i, s->places - 1);
	}
	return *place - 1;
}

void
pricing_add(struct pricing *s, const double *multiplier)
{
	size_t rows = (size_t)s->problem->evaluator.rows[s->stage].n;

	if (s->n == MULTIPLIERS)
		return;
	for (int i = 0; i < s->n; i++) {
		bool same = true;

		for (size_t r = 0; r < rows; r++)
			same &= fabs(s->multiplier[i][r] - multiplier[r]) <= 1e-9 * multiplier[r];
		if (same)
			return;
	}
	s->multiplier = xreallocarray(s->multiplier, (size_t)s->n + 1, sizeof *s->multiplier);
	s->least = xreallocarray(s->least, (size_t)s->n + 1, sizeof *s->least);
	s->multiplier[s->n] = xcalloc(rows, sizeof **s->multiplier);
	memcpy(s->multiplier[s->n], multiplier, rows * sizeof *multiplier);
	s->least[s->n] = NULL;
	make_room(s, s->n++, 0);
}

/*
 * Get the slopes SLOPE[kinds], ms per MB, of the lower convex hull of a layer's kinds, from the fastest kind on.
 * MB[kinds]: memory of each kind. Return the number of slopes.
 */
static int
hull_slopes(const struct body *body, const double *mb, double *slope)
{
	int n = 0, at = -1;

	for (int k = 0; k < RECOMPUTE_KINDS; k++)
		if (body->has[k] && (at < 0 || body->backward[k] < body->backward[at] ||
		    (body->backward[k] == body->backward[at] && mb[k] < mb[at])))
			at = k;
	for (;;) {
		double steepest = 0;
		int next = -1;

		for (int k = 0; k < RECOMPUTE_KINDS; k++) {
			double saved = mb[at] - mb[k], lost = body->backward[k] - body->backward[at];

			if (body->has[k] && saved > 0 && lost > 0 && saved / lost > steepest) {
				steepest = saved / lost;
				next = k;
			}
		}
		if (next < 0)
			return n;
		slope[n++] = 1 / steepest;
		at = next;
	}
}

/*
 * Add sets of multipliers of which only one is not zero. In the multiplier of one row the Lagrangian is concave, and
 * bends where another kind becomes the cheapest. So only these slopes are added.
 */
static void
add_multipliers(struct pricing *s, int row, int chunk, const struct body *body)
{
	const struct problem *p = s->problem;
	const struct rows *rows = &p->evaluator.rows[s->stage];
	int live = rows->live[row * p->chunks + chunk], held = rows->held[row * p->chunks + chunk];
	double slope[RECOMPUTE_KINDS], worth = s->worth[chunk].backward, multiplier[rows->n], mb[RECOMPUTE_KINDS];

	memset(multiplier, 0, sizeof multiplier);
	memcpy(mb, body->activation, sizeof mb);
	/* Memory for W counts in proportion to its ratio to activations in the row. */
	for (int k = 0; k < RECOMPUTE_KINDS && held > 0; k++)
		mb[k] = live > 0 ? mb[k] + body->kept_more[k] * held / live : body->kept_more[k] * held;
	if ((live > 0 || held > 0) && worth > 0)
		for (int i = hull_slopes(body, mb, slope); i-- > 0; ) {
			multiplier[row] = worth * slope[i] / (live > 0 ? live : 1);
			pricing_add(s, multiplier);
		}
}

struct pricing
pricing_new(const struct problem *p, int stage, const struct visits *weight)
{
	struct pricing s = { .problem = p, .stage = stage, .worth = xcalloc((size_t)p->chunks, sizeof *s.worth),
		.room = 2 * p->chunks };

	for (int v = 0; v < p->chunks; v++)
		s.worth[v] = piece_worth(p, v * p->stages + stage, weight);
	return s;
}

/* Create the first multipliers, when the first price is requested. */
static void
begin(struct pricing *s)
{
	const struct problem *p = s->problem;

	if (s->begun || (p->chunks == 1 && !p->parts))
		return;
	s->begun = true;
	for (int r = 0; r < p->evaluator.rows[s->stage].n; r++)
		for (int v = 0; v < p->chunks; v++)
			for (int b = 0; b < p->net->nbodies; b++)
				add_multipliers(s, r, v, stage_body(p, s->stage, b));
}

void
pricing_free(struct pricing *s)
{
	for (int i = 0; i < s->n; i++) {
		free(s->multiplier[i]);
		free(s->least[i]);
	}
	free(s->worth);
	free(s->multiplier);
	free(s->least);
	free(s->place);
	*s = (struct pricing){ 0 };
}

double
pricing_fixed(const struct pricing *s, const int *content, double *room)
{
	const struct problem *p = s->problem;
	const struct content *chunk[p->chunks];
	const struct mix none = { 0 };
	double sum = 0;

	for (int v = 0; v < p->chunks; v++) {
		chunk[v] = &p->contents.content[content[v]];
		sum += times_product(s->worth[v], piece_times(p, v * p->stages + s->stage, chunk[v], &none));
	}
	for (int r = 0; r < p->evaluator.rows[s->stage].n; r++)
		room[r] = proof_limit(p, s->stage) - stage_fixed(p, s->stage, chunk) -
		    row_beside(p, s->stage, r, chunk, p->chunks);
	return sum;
}

double
pricing_floor(const struct problem *p, int stage, int content)
{
	const struct rows *rows = &p->evaluator.rows[stage];
	const struct content *c = &p->contents.content[content];
	double fixed = stage_fixed(p, stage, &c), room = INFINITY;

	for (int r = 0; r < rows->n; r++) {
		double left = proof_limit(p, stage) - fixed - row_beside(p, stage, r, &c, 1);

		if (rows->live[r] > 0)
			room = fmin(room, left / rows->live[r]);
		else if (left < 0)
			return INFINITY;
	}
	return contents_floor(&p->contents, content, room);
}

double
pricing_slowest(const struct problem *p, int content, const struct pareto_front *f)
{
	const struct content *c = &p->contents.content[content];
	double sum = 0;

	if (!p->parts)
		return f->mix[f->n - 1].backward;
	for (int b = 0; b < p->net->nbodies; b++) {
		const struct body *body = &p->on[c->tier].body[b];
		double most = 0;

		for (int k = 0; k < RECOMPUTE_KINDS; k++)
			if (body->has[k])
				most = fmax(most, fmax(body->backward[k], body->link[k]));
		sum += c->body[b] * most;
	}
	return sum;
}

double
pricing_least(const struct pricing *s, int chunk, int content, struct prices per_mb, double tie)
{
	struct times worth = s->worth[chunk];

	return contents_least(&s->problem->contents, content, (struct rates){ per_mb.activation, worth.backward + tie,
	    worth.gradient, per_mb.kept });
}

double
pricing_subtracted(const struct pricing *s, const int *content)
{
	double sum = 0;

	for (int v = 0; v < s->problem->chunks && s->problem->parts; v++)
		sum += 2 * s->worth[v].backward * pricing_slowest(s->problem, content[v], NULL);
	return sum;
}

struct prices
pricing_memory(const struct pricing *s, const double *multiplier, int chunk)
{
	const struct rows *rows = &s->problem->evaluator.rows[s->stage];
	struct prices sum = { 0 };

	for (int r = 0; r < rows->n; r++) {
		sum.activation += multiplier[r] * rows->live[r * s->problem->chunks + chunk];
		sum.kept += multiplier[r] * rows->held[r * s->problem->chunks + chunk];
	}
	return sum;
}

/* Return the number of additions in the sum of the least costs of all chunks. */
static int
mix_terms(const struct problem *p)
{
	return p->chunks + 5 * p->net->nbodies * RECOMPUTE_KINDS;
}

int
pricing_memory_terms(const struct pricing *s)
{
	return s->problem->evaluator.rows[s->stage].n * 2;
}

int
pricing_terms(const struct pricing *s)
{
	return pricing_memory_terms(s) + mix_terms(s->problem);
}

double
pricing_best(struct pricing *s, const int *content, const double *room, int *at)
{
	const struct problem *p = s->problem;
	int rows = p->evaluator.rows[s->stage].n;
	double best = 0, subtracted = pricing_subtracted(s, content);
	int place[p->chunks];

	begin(s);
	for (int v = 0; v < p->chunks && s->n > 0; v++)
		place[v] = place_of(s, v, content[v]);
	*at = -1;
	for (int v = 0; v < p->chunks; v++)
		best += p->parts ? pricing_least(s, v, content[v], (struct prices){ 0 }, 0) :
		    s->worth[v].backward * p->contents.content[content[v]].backward;
	if (p->parts)
		best = rounded_down(best, best + subtracted, mix_terms(p));
	for (int i = 0; i < s->n; i++) {
		double sum = 0, memory = 0;

		for (int r = 0; r < rows; r++)
			memory += s->multiplier[i][r] * room[r];
		for (int v = 0; v < p->chunks; v++) {
			double *least = &s->least[i][place[v]];

			if (isnan(*least))
				*least = pricing_least(s, v, content[v], pricing_memory(s, s->multiplier[i], v), 0);
			sum += *least;
		}
		sum = rounded_down(sum - memory, sum + fabs(memory) + subtracted, pricing_terms(s));
		if (sum > best) {
			best = sum;
			*at = i;
		}
	}
	return best;
}

double
pricing_bound(struct pricing *s, const int *content)
{
	double room[s->problem->evaluator.rows[s->stage].n + 1], fixed = pricing_fixed(s, content, room);
	int at;

	return fixed + pricing_best(s, content, room, &at);
}
