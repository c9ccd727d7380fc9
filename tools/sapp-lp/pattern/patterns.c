#include "patterns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/model/tier.h"
#include "alternatives.h"
#include "decoupled.h"
#include "node_bounds.h"
#include "pricing.h"
#include "run_borders.h"
#include "stage_contents.h"
#include "stage_dp.h"

enum {
	PROOF_TRIES = 4000000,		/* maximum number of patterns tried for a proof */
	CHECK_EVERY = 1024,		/* patterns between checks of the clock */
	PROOF_PATTERNS = 75000,		/* maximum number of patterns kept for a proof */
	SETTINGS_WORK = 100000000,	/* maximum number of combinations of mixes tried for a proof */
};
/*
 * Processor time of pricing in about ns. The times are per pattern, per state of stage_dp.h and pattern, per pattern
 * without a list of settings, and per stage of generated patterns. The third is multiplied by the square of the chunks,
 * because each chunk adds multipliers.
 */
static const double WORK_A_PATTERN = 105, WORK_A_STATE = 0.6, WORK_UNLISTED = 675, WORK_A_STAGE = 60000;

static void
add_pattern(struct patterns *c, int stage, const int *content, bool floor)
{
	const struct problem *p = c->problem;
	struct pattern *d;

	d = APPEND(c->pattern[stage], c->n[stage]);
	*d = (struct pattern){ 0 };
	d->content = xcalloc((size_t)p->chunks, sizeof *d->content);
	memcpy(d->content, content, (size_t)p->chunks * sizeof *content);
	if (floor) {
		d->floor = xcalloc(1, sizeof *d->floor);
		*d->floor = pricing_floor(p, stage, *content);
		if (*d->floor == INFINITY)	/* only by rounding, because the content fits */
			*d->floor = p->contents.content[*content].backward;
	}
}

void
pattern_free(struct pattern *d)
{
	free(d->content);
	free(d->floor);
}

static struct patterns
patterns_empty(const struct problem *p)
{
	struct patterns c = { .problem = p, .complete = true, .deadline = INFINITY };

	c.n = xcalloc((size_t)p->stages, sizeof *c.n);
	c.pattern = xcalloc((size_t)p->stages, sizeof *c.pattern);
	return c;
}

/*
 * Return whether a pattern has at most the model's layers of each body, and leaves enough layers for the minimum of
 * every other piece.
 */
static bool
leaves_enough(const struct problem *p, int stage, const int *content, int chunks)
{
	int others = p->needed[p->pieces], total = 0;

	for (int v = 0; v < chunks; v++) {
		others -= p->fewest[v * p->stages + stage];
		total += p->contents.content[content[v]].layers;
	}
	for (int b = 0; b < p->net->nbodies; b++) {
		int layers = 0;

		for (int v = 0; v < chunks; v++)
			layers += p->contents.content[content[v]].body[b];
		if (layers > p->net->body[b].layers)
			return false;
	}
	return total <= p->net->layers - others;
}

struct pattern_proof {
	struct patterns *to;
	double horizon;		/* ms */
};

static bool
keep_for_proof(void *with, int stage, const int *content, int chunks)
{
	const struct pattern_proof *proof = with;
	struct patterns *c = proof->to;
	const struct problem *p = c->problem;

	if (!c->complete || !leaves_enough(p, stage, content, chunks) ||
	    least_busy(p, stage, content, chunks) >= proof->horizon ||
	    stage_part_memory(p, stage, content, chunks) > proof_limit(p, stage))
		return false;
	if (chunks < p->chunks)
		return true;
	if (stage_memory_floor(p, stage, content) > proof_limit(p, stage))
		return false;
	c->complete &= c->n[stage] < PROOF_PATTERNS / p->stages;
	if (c->complete)
		add_pattern(c, stage, content, p->chunks == 1 && !p->parts);
	return c->complete;
}

/*
 * List the patterns of all plans shorter than HORIZON. The list is incomplete if the patterns are too many, or at the
 * deadline.
 */
static void
list_for_proof(struct patterns *c, double horizon)
{
	const struct problem *p = c->problem;
	struct pattern_proof proof = { c, horizon };

	for (int s = 0; s < p->stages && c->complete; s++)
		c->complete &= stage_contents_each(p, s, PROOF_TRIES / p->stages, c->deadline, keep_for_proof, &proof);
}

/* List these patterns for one chunk per stage: the runs of layers within run_borders(). */
static void
list_runs(struct patterns *c, double horizon)
{
	const struct problem *p = c->problem;
	struct pattern_proof proof = { c, horizon };
	int *earliest = xcalloc((size_t)p->stages + 1, sizeof *earliest);
	int *latest = xcalloc((size_t)p->stages + 1, sizeof *latest);
	/* 1 + the last stage for which a content was tried */
	int *seen = xcalloc((size_t)p->contents.ncontents, sizeof *seen);

	run_borders(p, horizon, earliest, latest);
	for (int s = 0; s < p->stages; s++)
		for (int first = earliest[s]; first <= latest[s] && c->complete; first++) {
			c->complete = clock_left(c->deadline);
			for (int end = first + p->fewest[s]; end <= latest[s + 1] && c->complete; end++) {
				int content = piece_content(p, s, first, end - first);

				if (end < earliest[s + 1])
					continue;
				if (content < 0)
					break;
				if (!piece_can_hold(p, s, content))
					continue;
				if (seen[content] != s + 1 && !keep_for_proof(&proof, s, &content, 1))
					break;
				seen[content] = s + 1;
			}
		}
	free(earliest);
	free(latest);
	free(seen);
}

struct patterns
patterns_that_fit(const struct problem *p, double deadline)
{
	struct patterns c = patterns_empty(p);

	c.deadline = deadline;
	list_for_proof(&c, INFINITY);
	return c;
}

/*
 * List the settings of a stage's patterns if the lists are short. Drop patterns without settings. Return false at the
 * deadline.
 */
static bool
make_settings(struct patterns *c, struct settings_cache *cache, int stage)
{
	const struct problem *p = c->problem;
	/* With very many contents, making their fronts would take too long. */
	bool lists = p->contents.ncontents <= p->list_limits.contents;
	int left = 0;

	for (int i = 0; i < c->n[stage]; i++) {
		struct pattern *d = &c->pattern[stage][i];

		if (i % CHECK_EVERY == 0 && !clock_left(c->deadline))
			return false;
		if (lists && cache->tries < SETTINGS_WORK &&
		    settings_combinations(p, d->content) <= p->list_limits.combinations)
			d->settings = settings_cache_get(cache, stage, d->content);
		if (d->settings == NULL || d->settings->n > 0)
			c->pattern[stage][left++] = *d;
		else
			pattern_free(d);
	}
	c->n[stage] = left;
	return true;
}

static void
trim(struct patterns *c, const struct visits *weight, double horizon)
{
	if (c->problem->chunks > 1) {
		decoupled_find_price(c, weight, horizon, c->price);
		decoupled_trim(c, weight, c->price, horizon);
	} else
		stage_dp_trim(c, weight, horizon);
}

double
patterns_price(struct patterns *c, const struct visits *weight, const double *price, double above, double horizon,
    struct candidate *out)
{
	double bound;

	if (c->problem->chunks == 1)
		return stage_dp_price(c, weight, above, horizon, out);
	bound = decoupled_bound(c, weight, price, out);
	if (bound > above && bound < horizon)
		decoupled_trim(c, weight, price, horizon);
	return bound;
}

double
patterns_proved(const struct problem *p, double sum, int paths)
{
	/*
	 * Each term is a weight, a mean of PATHS, times a time, which is a sum over layers. Only parts of backwards are
	 * subtracted.
	 */
	return proved_bound(p, sum, 2 * fabs(sum), paths + 8.0 * p->pieces + p->net->nbodies * RECOMPUTE_KINDS);
}

struct patterns
patterns_new(const struct problem *p, struct settings_cache *cache, const struct visits *weight, double horizon,
    double deadline)
{
	struct patterns c = patterns_empty(p);

	c.deadline = deadline;
	c.price = xcalloc((size_t)p->net->nbodies, sizeof *c.price);
	c.complete = p->chunks > 1 || (p->net->layers + 1.0) * (p->stages + 1) <= p->list_limits.states;
	if (c.complete)
		(p->chunks == 1 ? list_runs : list_for_proof)(&c, horizon);
	if (c.complete)
		trim(&c, weight, horizon);
	for (int s = 0; s < p->stages; s++)
		c.complete = c.complete && make_settings(&c, cache, s);
	if (c.complete)
		c.bound = fmin(horizon, patterns_price(&c, weight, c.price, INFINITY, horizon, NULL));
	return c;
}

/* Return multipliers [stages][rows of memory + 1], copied from FROM, or zeros if FROM is NULL. */
static double **
multipliers_new(const struct problem *p, double *const *from)
{
	double **m = xcalloc((size_t)p->stages, sizeof *m);

	for (int s = 0; s < p->stages; s++) {
		size_t n = (size_t)p->evaluator.rows[s].n + 1;

		m[s] = xcalloc(n, sizeof **m);
		if (from != NULL)
			memcpy(m[s], from[s], n * sizeof **m);
	}
	return m;
}

struct patterns
patterns_generated(const struct problem *p, const struct visits *weight, double horizon, double deadline)
{
	struct patterns c = patterns_empty(p);

	c.deadline = deadline;
	c.price = xcalloc((size_t)p->net->nbodies, sizeof *c.price);
	c.alternatives = alternatives_new(p, horizon);
	c.multiplier = multipliers_new(p, NULL);
	decoupled_find_price(&c, weight, horizon, c.price);
	return c;
}

long
patterns_drop(struct patterns *c, int stage, const double *least, double fixed, double horizon)
{
	int left = 0, n = c->n[stage];

	for (int i = 0; i < n; i++) {
		if (least[i] + fixed < horizon)
			c->pattern[stage][left++] = c->pattern[stage][i];
		else if (!c->borrowed)
			pattern_free(&c->pattern[stage][i]);
	}
	c->n[stage] = left;
	return n - left;
}

int
patterns_unlisted(const struct patterns *c)
{
	int n = 0;

	for (int s = 0; s < c->problem->stages; s++)
		for (int i = 0; i < c->n[s]; i++)
			n += c->pattern[s][i].settings == NULL;
	return n;
}

double
patterns_work(const struct patterns *c)
{
	const struct problem *p = c->problem;
	double states = p->chunks > 1 ? 0 : p->net->layers + 1, n = 0;

	if (c->alternatives != NULL)
		return WORK_A_STAGE * p->stages;
	for (int s = 0; s < p->stages; s++)
		n += c->n[s];
	return n * (WORK_A_PATTERN + WORK_A_STATE * states) +
	    patterns_unlisted(c) * WORK_UNLISTED * p->chunks * p->chunks;
}

struct patterns
patterns_within(const struct patterns *from, const struct node_bounds *bounds)
{
	const struct problem *p = from->problem;
	struct patterns c = patterns_empty(p);

	c.bounds = bounds;
	c.borrowed = true;
	c.complete = from->complete;
	c.deadline = from->deadline;
	c.alternatives = from->alternatives;
	if (c.alternatives != NULL)
		c.multiplier = multipliers_new(p, from->multiplier);
	for (int s = 0; s < p->stages; s++) {
		c.pattern[s] = xcalloc((size_t)from->n[s], sizeof **c.pattern);
		for (int i = 0; i < from->n[s]; i++)
			if (bounds == NULL || node_allows_contents(p, bounds, s, from->pattern[s][i].content))
				c.pattern[s][c.n[s]++] = from->pattern[s][i];
	}
	return c;
}

void
patterns_free(struct patterns *c)
{
	for (int s = 0; c->pattern != NULL && s < c->problem->stages; s++) {
		for (int i = 0; i < c->n[s] && !c->borrowed; i++)
			pattern_free(&c->pattern[s][i]);
		free(c->pattern[s]);
	}
	for (int s = 0; c->multiplier != NULL && s < c->problem->stages; s++)
		free(c->multiplier[s]);
	free(c->multiplier);
	if (c->alternatives != NULL && !c->borrowed)
		alternatives_free(c->alternatives);
	free(c->pattern);
	free(c->n);
	free(c->price);
	*c = (struct patterns){ 0 };
}
