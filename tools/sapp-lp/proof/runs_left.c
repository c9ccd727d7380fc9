/* Runs left: dynamic programming over stages and layers placed. */
#include "runs_left.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "sapp-lp/model/stage_settings.h"
#include "sapp-lp/model/tier.h"

enum { RUNS_MAX = 1 << 25 };
static const double ROUNDED = 1e-12;	/* of the target, that sums of a few times may be off */

size_t
runs_left_at(const struct runs_left *r, int stage, int first, int layers)
{
	return ((size_t)stage * (size_t)(r->p->net->layers + 1) + (size_t)first) * (size_t)r->width + (size_t)layers;
}

static size_t
state(const struct runs_left *r, int stage, int first)
{
	return (size_t)stage * (size_t)(r->p->net->layers + 1) + (size_t)first;
}

static size_t
hold(const struct runs_left *r, int stage, int content)
{
	return (size_t)stage * (size_t)r->p->contents.ncontents + (size_t)content;
}

/* The least backward of the mixes that fit, of those that there are if the front is thinned: checked ones are exact. */
static struct times
least_times(const struct problem *p, int stage, int content)
{
	const struct content *c = &p->contents.content[content];
	const struct pareto_front *f = contents_front(&p->contents, content);
	struct mix least = { .backward = INFINITY };

	for (int i = 0; i < f->n; i++)
		if (f->mix[i].backward < least.backward &&
		    stage_peak(p, stage, &content, &i) <= proof_limit(p, stage))
			least.backward = f->mix[i].backward;
	return piece_times(p, stage, c, &least);
}

bool
runs_left_open(struct runs_left *r, const struct problem *p, double target)
{
	size_t states = (size_t)(p->stages + 1) * (size_t)(p->net->layers + 1);
	size_t holds = (size_t)p->stages * (size_t)p->contents.ncontents;

	*r = (struct runs_left){ .p = p, .target = target, .width = p->contents.most + 1 };
	r->runs = states * (size_t)r->width;
	if (r->runs > RUNS_MAX || holds > RUNS_MAX)
		return false;
	r->least = xcalloc(holds, sizeof *r->least);
	r->cost = xcalloc(holds, sizeof *r->cost);
	r->before = xcalloc(states, sizeof *r->before);
	r->after = xcalloc(states, sizeof *r->after);
	for (int s = 0; s < p->stages; s++)
		for (int c = 0; c < p->contents.ncontents; c++)
			r->least[hold(r, s, c)] = p->contents.content[c].tier == p->tier[s] ?
			    least_times(p, s, c) : (struct times){ .backward = INFINITY };
	return true;
}

void
runs_left_free(struct runs_left *r)
{
	free(r->least);
	free(r->cost);
	free(r->before);
	free(r->after);
}

static double
reaches(const struct runs_left *r)
{
	return r->target * (1 + ROUNDED);
}

void
runs_left_begin(const struct runs_left *r, unsigned char *alive)
{
	const struct problem *p = r->p;

	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i <= p->net->layers; i++)
			for (int n = 0; n < r->width; n++) {
				int c = i + n <= p->net->layers && n >= p->fewest[s] ? piece_content(p, s, i, n) : -1;
				const struct times *t = c >= 0 ? &r->least[hold(r, s, c)] : NULL;

				alive[runs_left_at(r, s, i, n)] = t != NULL && t->backward < INFINITY &&
				    (t->forward + t->backward) * p->micro * p->pace[s] < reaches(r);
			}
}

/* before[] and after[] of the costs. */
static void
sweep(struct runs_left *r)
{
	const struct problem *p = r->p;
	int layers = p->net->layers;

	for (size_t i = 0; i < (size_t)(p->stages + 1) * (size_t)(layers + 1); i++)
		r->before[i] = r->after[i] = INFINITY;
	r->before[0] = r->after[state(r, p->stages, layers)] = 0;
	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i <= layers; i++)
			for (int n = 0; n < r->width && r->before[state(r, s, i)] < INFINITY; n++)
				if (r->alive[runs_left_at(r, s, i, n)]) {
					double *to = &r->before[state(r, s + 1, i + n)];

					*to = fmin(*to, r->before[state(r, s, i)] +
					    r->cost[hold(r, s, piece_content(p, s, i, n))]);
				}
	for (int s = p->stages - 1; s >= 0; s--)
		for (int i = 0; i <= layers; i++)
			for (int n = 0; n < r->width; n++)
				if (r->alive[runs_left_at(r, s, i, n)]) {
					double *to = &r->after[state(r, s, i)];

					*to = fmin(*to, r->after[state(r, s + 1, i + n)] +
					    r->cost[hold(r, s, piece_content(p, s, i, n))]);
				}
}

/* Drop the runs with which the sum of a layout is ROOM or more; how many. */
static size_t
drop(struct runs_left *r, double room)
{
	const struct problem *p = r->p;
	size_t dropped = 0;

	for (int s = 0; s < p->stages; s++)
		for (int i = 0; i <= p->net->layers; i++)
			for (int n = 0; n < r->width && i + n <= p->net->layers; n++) {
				unsigned char *run = &r->alive[runs_left_at(r, s, i, n)];

				if (!*run)
					continue;
				*run = r->before[state(r, s, i)] + r->after[state(r, s + 1, i + n)] +
				    r->cost[hold(r, s, piece_content(p, s, i, n))] < room;
				dropped += !*run;
			}
	return dropped;
}

static bool
is_empty(const struct runs_left *r)
{
	return r->before[state(r, r->p->stages, r->p->net->layers)] == INFINITY;
}

size_t
runs_left_drop(struct runs_left *r, const struct worth *w, double *ms)
{
	const struct problem *p = r->p;
	size_t dropped;

	for (int s = 0; s < p->stages; s++)
		for (int c = 0; c < p->contents.ncontents; c++) {
			const struct times *t = &r->least[hold(r, s, c)];

			r->cost[hold(r, s, c)] = w->forward[s] * t->forward + w->backward[s] * t->backward;
		}
	sweep(r);
	*ms = r->before[state(r, p->stages, p->net->layers)] + w->delay;
	dropped = drop(r, reaches(r) - w->delay);
	return *ms >= reaches(r) || !runs_left_any(r) ? SIZE_MAX : dropped;
}

bool
runs_left_any(struct runs_left *r)
{
	for (size_t i = 0; i < (size_t)r->p->stages * (size_t)r->p->contents.ncontents; i++)
		r->cost[i] = 0;
	sweep(r);
	drop(r, INFINITY);
	return !is_empty(r);
}
