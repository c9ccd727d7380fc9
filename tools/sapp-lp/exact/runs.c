/* Runs: states, edges between states, and sets of paths. Two sweeps per set drop edges. */
#include "runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/clock.h"
#include "sapp-lp/bound/path_cuts.h"
#include "sapp-lp/model/critical_paths.h"
#include "sapp-lp/model/tier.h"
#include "sapp-lp/pattern/pricing.h"
#include "sapp-lp/pattern/run_borders.h"

enum {
	EDGES_MAX = 1 << 24,
	COSTS_MAX = 1 << 21,	/* maximum number of costs in a set of paths */
	PASSES = 30,		/* maximum number of passes over all sets of paths for one target */
	SETS = 6,		/* number of sets of paths that are kept */
};
static const double SLOWER = 2, SLOWEST = 64;	/* factors of a stage's times, to find its path */

struct run_span {			/* a range of numbers of layers, both ends included */
	int low, high;
};

/* The costs under the paths of all stages, which were found for one plan: see runs.h. */
struct path_set {
	double *shared;		/* [stages][contents], ms that a content adds to the common sum */
	double *own;		/* [stages][contents], ms by which the path of this stage exceeds the common sum */
	double delay;		/* ms, common to all paths */
};

struct runs {
	const struct problem *p;
	/*
	 * A state is a stage and the number of layers before it, from earliest to latest. Its edges are runs of 0 to
	 * width - 1 layers.
	 */
	int width;
	int *earliest, *latest;	/* [stages + 1] */
	size_t *state;		/* [stages + 1], index of a stage's first state */
	size_t states;
	int *content;		/* [states][width], index into [contents]; -1: the edge is dropped permanently */
	bool *dropped;		/* [states][width]: whether no plan shorter than the target has the edge */
	/* [stages + 1], layers before the stage: range with edges left; range with edges not dropped permanently */
	struct run_span *left, *known;
	int contents;		/* number of different contents on edges */
	/* [stages][contents], ms, least times within the limit; backward infinite: the content does not fit */
	struct times *least;
	double *busy;		/* [stages][contents], ms that the stage works in a step */
	double *before, *after;	/* [states], least common sums from the first state, and to the last state */
	struct path_set set[SETS], mean;	/* mean: costs under a mean of paths, for runs_least() */
	int sets, next;		/* number of sets; index of the set to replace next */
	struct visits *path;	/* [stages], scratch */
};

static size_t
state_of(const struct runs *r, int stage, int layers)
{
	return r->state[stage] + (size_t)(layers - r->earliest[stage]);
}

/* Find the possible first layers of each stage. Return false if no plan exists, or if the edges are too many. */
static bool
find_states(struct runs *r, double horizon)
{
	const struct problem *p = r->p;
	int all = p->net->layers;

	run_borders(p, horizon, r->earliest, r->latest);
	for (int s = 0; s <= p->stages; s++) {
		int most = all - p->behind[s];

		r->earliest[s] = r->earliest[s] > p->needed[s] ? r->earliest[s] : p->needed[s];
		r->latest[s] = r->latest[s] < most ? r->latest[s] : most;
		if (r->latest[s] < r->earliest[s])
			return false;
		r->state[s] = r->states;
		r->states += (size_t)(r->latest[s] - r->earliest[s] + 1);
		for (int i = r->earliest[s]; s < p->stages && i <= r->latest[s]; i++)
			while (i + r->width <= all && run_fits(p, s, i, i + r->width, horizon))
				r->width++;
	}
	return r->states * (size_t)r->width <= EDGES_MAX;
}

/* Return the least times of a content on a stage, within the stage's limit. */
static struct times
least_times(const struct problem *p, int stage, int content)
{
	struct mix fastest = { .backward = pricing_floor(p, stage, content) };

	/*
	 * If backwards have parts, take the minimum of each part over all mixes, because a path may visit one part
	 * alone.
	 */
	if (p->parts && fastest.backward < INFINITY)
		fastest.backward = contents_least(&p->contents, content, (struct rates){ .ms = 1, .gradient = -1 });
	return piece_times(p, stage, &p->contents.content[content], &fastest);
}

/*
 * List all edges. NUMBER[contents of the problem] receives 1 + index of each content on an edge, and 0 for other
 * contents.
 */
static void
find_edges(struct runs *r, int *number)
{
	const struct problem *p = r->p;

	for (int s = 0; s < p->stages; s++)
		for (int i = r->earliest[s]; i <= r->latest[s]; i++)
			for (int n = 0; n < r->width; n++) {
				size_t at = state_of(r, s, i);
				int content = -1;

				if (n >= p->fewest[s] && i + n >= r->earliest[s + 1] && i + n <= r->latest[s + 1] &&
				    problem_border(p, p->position[s], i) &&
				    problem_border(p, p->position[s] + 1, i + n))
					content = piece_content(p, s, i, n);
				if (content >= 0 && number[content] == 0)
					number[content] = ++r->contents;
				r->content[at * (size_t)r->width + (size_t)n] = content < 0 ? -1 : number[content] - 1;
			}
}

/*
 * Compute the times of all contents on all stages, and drop the edges that do not fit. Return false if the times are
 * too many.
 */
static bool
find_times(struct runs *r, const int *number)
{
	const struct problem *p = r->p;
	size_t n = (size_t)p->stages * (size_t)r->contents, width = (size_t)r->width;

	if (n > COSTS_MAX)
		return false;
	r->least = xcalloc(n, sizeof *r->least);
	r->busy = xcalloc(n, sizeof *r->busy);
	for (int s = 0; s < p->stages; s++)
		for (int c = 0; c < p->contents.ncontents; c++) {
			size_t at = (size_t)s * (size_t)r->contents + (size_t)(number[c] - 1);

			if (number[c] == 0)
				continue;
			r->busy[at] = INFINITY;
			if (p->contents.content[c].tier != p->tier[s])
				continue;
			r->least[at] = least_times(p, s, c);
			r->busy[at] = (r->least[at].forward + r->least[at].backward) * p->micro * p->pace[s] *
			    p->together;
		}
	for (int s = 0; s < p->stages; s++)
		for (size_t i = r->state[s] * width; i < r->state[s + 1] * width; i++)
			if (r->content[i] >= 0 && r->busy[s * r->contents + r->content[i]] == INFINITY)
				r->content[i] = -1;
	return true;
}

void
runs_free(struct runs *r)
{
	for (int i = 0; i < r->sets; i++) {
		free(r->set[i].shared);
		free(r->set[i].own);
	}
	free(r->mean.shared);
	for (int s = 0; s < r->p->stages; s++)
		free(r->path[s].at);
	free(r->path);
	free(r->earliest);
	free(r->latest);
	free(r->state);
	free(r->content);
	free(r->dropped);
	free(r->left);
	free(r->known);
	free(r->least);
	free(r->busy);
	free(r->before);
	free(r->after);
	free(r);
}

struct runs *
runs_new(const struct problem *p, double horizon)
{
	struct runs *r = xcalloc(1, sizeof *r);
	size_t n = (size_t)p->stages + 1;
	int *number = xcalloc((size_t)p->contents.ncontents, sizeof *number);
	bool can;

	r->p = p;
	r->width = 1;
	r->earliest = xcalloc(n, sizeof *r->earliest);
	r->latest = xcalloc(n, sizeof *r->latest);
	r->state = xcalloc(n, sizeof *r->state);
	r->path = xcalloc((size_t)p->stages, sizeof *r->path);
	for (int s = 0; s < p->stages; s++)
		r->path[s] = visits_new(p);
	can = find_states(r, horizon);
	if (can) {
		r->content = xcalloc(r->states * (size_t)r->width, sizeof *r->content);
		r->dropped = xcalloc(r->states * (size_t)r->width, sizeof *r->dropped);
		r->left = xcalloc(n, sizeof *r->left);
		r->known = xcalloc(n, sizeof *r->known);
		for (int s = 0; s <= p->stages; s++)
			r->known[s] = (struct run_span){ r->earliest[s], r->latest[s] };
		r->before = xcalloc(r->states, sizeof *r->before);
		r->after = xcalloc(r->states, sizeof *r->after);
		find_edges(r, number);
		can = find_times(r, number);
		r->mean.shared = xcalloc((size_t)p->stages * (size_t)r->contents, sizeof(double));
	}
	free(number);
	if (can)
		return r;
	runs_free(r);
	return NULL;
}

/* Return the number of visits of a stage's operations by a path. */
static double
visited(const struct problem *p, const struct visits *path, int stage)
{
	double sum = 0;

	for (int i = stage; i < p->evaluator.slots - 1; i += p->stages)
		sum += path->at[i];
	return sum;
}

/*
 * For each stage, find the critical path of PLAN with this stage slower. The factor is chosen such that the path visits
 * the stage in each micro-batch. Return false if the time is over.
 */
static bool
find_paths(const struct runs *r, const struct candidate *plan, double deadline)
{
	const struct problem *p = r->p;
	const struct evaluator *o = &p->evaluator;
	struct critical_paths c = critical_paths_new(o);
	double *cost = xcalloc((size_t)o->slots, sizeof *cost), slower[LANES];
	int stage[LANES], n = 0, next = 0;

	candidate_costs(p, plan, cost);
	while ((n > 0 || next < p->stages) && clock_left(deadline)) {
		int left = 0;

		for (; n < LANES && next < p->stages; n++) {
			stage[n] = next++;
			slower[n] = SLOWER;
		}
		for (int i = 0; i < o->slots; i++)
			for (int l = 0; l < LANES; l++)
				c.cost[i].at[l] = cost[i] * (l < n && i % p->stages == stage[l] ? slower[l] : 1);
		critical_paths_find(&c, n);
		for (int l = 0; l < n; l++) {
			visits_copy(p, &r->path[stage[l]], &c.path[l]);
			if (visited(p, &c.path[l], stage[l]) < p->micro && slower[l] < SLOWEST) {
				stage[left] = stage[l];
				slower[left++] = slower[l] * SLOWER;
			}
		}
		n = left;
	}
	free(cost);
	critical_paths_free(&c);
	return n == 0 && next == p->stages;
}

/* Return, for each stage, the minimum number of visits over the paths of all other stages. */
static struct visits
shared_visits(const struct runs *r)
{
	const struct problem *p = r->p;
	struct visits v = visits_new(p);

	v.delay = INFINITY;
	for (int i = 0; i < p->evaluator.slots; i++)
		v.at[i] = INFINITY;
	for (int s = 0; s < p->stages; s++) {
		v.delay = fmin(v.delay, r->path[s].delay);
		for (int i = 0; i < p->evaluator.slots; i++)
			if (i % p->stages != s)
				v.at[i] = fmin(v.at[i], r->path[s].at[i]);
	}
	return v;
}

bool
runs_add_paths(struct runs *r, const struct candidate *plan, double deadline)
{
	const struct problem *p = r->p;
	size_t contents = (size_t)r->contents;
	struct path_set *set = &r->set[r->next];
	struct visits shared;

	if (!find_paths(r, plan, deadline))
		return false;
	shared = shared_visits(r);
	if (r->next == r->sets) {
		set->shared = xcalloc((size_t)p->stages * contents, sizeof *set->shared);
		set->own = xcalloc((size_t)p->stages * contents, sizeof *set->own);
		r->sets++;
	}
	r->next = (r->next + 1) % SETS;
	set->delay = shared.delay;
	for (int s = 0; s < p->stages; s++) {
		struct times worth = piece_worth(p, s, &shared), own = piece_worth(p, s, &r->path[s]);

		for (size_t c = (size_t)s * contents; c < (size_t)(s + 1) * contents; c++) {
			if (r->busy[c] == INFINITY)
				continue;
			set->shared[c] = times_product(worth, r->least[c]);
			set->own[c] = times_product(own, r->least[c]) - set->shared[c] + r->path[s].delay -
			    shared.delay;
		}
	}
	free(shared.at);
	return true;
}

/* Compute before[] and after[] of a set's common sum over the edges left. Return false if no layout is left. */
static bool
sweep(struct runs *r, const struct path_set *set)
{
	const struct problem *p = r->p;
	size_t width = (size_t)r->width, contents = (size_t)r->contents;

	for (int s = 0; s <= p->stages; s++)
		for (int i = r->known[s].low; i <= r->known[s].high; i++)
			r->before[state_of(r, s, i)] = r->after[state_of(r, s, i)] = INFINITY;
	r->before[0] = r->after[r->states - 1] = 0;
	for (int s = 0; s < p->stages; s++) {
		const double *cost = set->shared + (size_t)s * contents;

		for (int i = r->left[s].low; i <= r->left[s].high; i++) {
			size_t at = state_of(r, s, i);
			double *to = r->before + state_of(r, s + 1, i);

			for (size_t n = 0; n < width && r->before[at] < INFINITY; n++)
				if (!r->dropped[at * width + n])
					to[n] = fmin(to[n], r->before[at] + cost[r->content[at * width + n]]);
		}
	}
	for (int s = p->stages - 1; s >= 0 && r->before[r->states - 1] < INFINITY; s--) {
		const double *cost = set->shared + (size_t)s * contents;

		for (int i = r->left[s].low; i <= r->left[s].high; i++) {
			size_t at = state_of(r, s, i);
			const double *from = r->after + state_of(r, s + 1, i);

			for (size_t n = 0; n < width && r->before[at] < INFINITY; n++)
				if (!r->dropped[at * width + n])
					r->after[at] = fmin(r->after[at], cost[r->content[at * width + n]] + from[n]);
		}
	}
	return r->before[r->states - 1] < INFINITY;
}

/*
 * Drop the edges with which the path of their stage, or the work of the stage alone, reaches the target. Return whether
 * any edge was dropped.
 */
static bool
drop(struct runs *r, const struct path_set *set, double target)
{
	const struct problem *p = r->p;
	size_t width = (size_t)r->width, contents = (size_t)r->contents;
	bool any = false;

	for (int s = 0; s < p->stages; s++) {
		const double *shared = set->shared + (size_t)s * contents, *own = set->own + (size_t)s * contents;
		const double *busy = r->busy + (size_t)s * contents;
		struct run_span left = { r->left[s].high + 1, r->left[s].low - 1 };

		for (int i = r->left[s].low; i <= r->left[s].high; i++) {
			size_t at = state_of(r, s, i);
			bool some = false;
			const double *after = r->after + state_of(r, s + 1, i);
			double room = target - set->delay - r->before[at];

			for (size_t n = 0; n < width; n++) {
				int c = r->content[at * width + n];

				if (r->dropped[at * width + n])
					continue;
				if (shared[c] + own[c] + after[n] < room && busy[c] < target)
					some = true;
				else
					any = r->dropped[at * width + n] = true;
			}
			if (some) {
				left.low = i < left.low ? i : left.low;
				left.high = i;
			}
		}
		r->left[s] = left;
	}
	return any;
}

bool
runs_none_below(struct runs *r, double target, double deadline)
{
	size_t width = (size_t)r->width;
	bool more = true;

	memcpy(r->left, r->known, ((size_t)r->p->stages + 1) * sizeof *r->left);
	for (int s = 0; s < r->p->stages; s++)
		for (size_t i = state_of(r, s, r->left[s].low) * width;
		    i < (state_of(r, s, r->left[s].high) + 1) * width; i++)
			r->dropped[i] = r->content[i] < 0;
	for (int pass = 0; pass < PASSES && more; pass++) {
		more = false;
		for (int k = 0; k < r->sets; k++) {
			if (!sweep(r, &r->set[k]))
				return true;
			more |= drop(r, &r->set[k], target);
			if (!clock_left(deadline))
				return false;
		}
	}
	return false;
}

bool
runs_prune(struct runs *r, double horizon, double deadline)
{
	size_t width = (size_t)r->width;

	if (runs_none_below(r, horizon, deadline))
		return true;
	memcpy(r->known, r->left, ((size_t)r->p->stages + 1) * sizeof *r->known);
	for (int s = 0; s < r->p->stages; s++)
		for (size_t i = state_of(r, s, r->known[s].low) * width;
		    i < (state_of(r, s, r->known[s].high) + 1) * width; i++)
			r->content[i] = r->dropped[i] ? -1 : r->content[i];
	return false;
}

bool
runs_least(struct runs *r, const struct visits *weight, int *layers)
{
	const struct problem *p = r->p;
	size_t width = (size_t)r->width, contents = (size_t)r->contents;
	struct path_set *set = weight != NULL ? &r->mean : &r->set[(r->next + SETS - 1) % SETS];

	for (int s = 0; s < p->stages && weight != NULL; s++) {
		struct times worth = piece_worth(p, s, weight);

		for (size_t c = (size_t)s * contents; c < (size_t)(s + 1) * contents; c++)
			if (r->busy[c] < INFINITY)
				set->shared[c] = times_product(worth, r->least[c]);
	}
	if (!sweep(r, set))
		return false;
	for (int s = 0, i = 0; s < p->stages; i += layers[s++]) {
		size_t at = state_of(r, s, i);
		const double *after = r->after + state_of(r, s + 1, i);
		double least = INFINITY;

		for (size_t n = 0; n < width; n++) {
			double sum;

			if (r->dropped[at * width + n])
				continue;
			sum = set->shared[(size_t)s * contents + (size_t)r->content[at * width + n]] + after[n];
			if (sum < least) {
				least = sum;
				layers[s] = (int)n;
			}
		}
	}
	return true;
}

