#include "content.h"

#include <err.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/base/status.h"
#include "lib/model/weights.h"

static const size_t SHED_BYTES = 400000000;	/* size of all fronts above which contents_forget() frees them */

enum { RUN_WORDS = 20 };	/* words of memory per run, without its numbers of layers per body */
static const double WORDS_MAX = 6.4e7;	/* maximum words of all runs: 250 MB, computed in a second or two */

struct front_cache {
	pthread_mutex_t lock;	/* held while a front is made */
	int tiers;
	struct pareto *fronts;	/* [tiers] */
	_Atomic(struct pareto_front *) *front;	/* [contents], NULL: not made yet */
	size_t bytes;
};

/*
 * Add the content with BODY[bodies] layers of each body. ACTIVATION (MB) and BACKWARD (ms) are the minima over the
 * content's mixes. Return the content's index, or -1 if it has no mix.
 */
static int
add_content(struct contents *m, const struct network *net, const int *body, double activation, double backward)
{
	struct content *c;

	if (activation == INFINITY)
		return -1;
	if ((m->ncontents & (m->ncontents - 1)) == 0)	/* room doubles at powers of two */
		m->content = xreallocarray(m->content, 2 * (size_t)m->ncontents + 1, sizeof *m->content);
	c = &m->content[m->ncontents];
	*c = (struct content){ .activation = activation, .backward = backward };
	c->body = xcalloc((size_t)net->nbodies, sizeof *c->body);
	for (int b = 0; b < net->nbodies; b++) {
		c->body[b] = body[b];
		c->layers += body[b];
		c->forward += body[b] * net->body[b].forward;
		c->gradient += body[b] * body_weight(&net->body[b]);
		c->parameter += body[b] * net->body[b].parameter;
		c->floor += body[b] * net->body[b].floor;
		c->kept += net->keeps ? body[b] * net->body[b].kept : 0;
		if (body[b] > 0)
			c->transient = fmax(c->transient, net->body[b].transient);
	}
	return m->ncontents++;
}

/* Add the contents of the runs that begin with layer FIRST. KIND[layers]: body of each layer. */
static void
add_runs(struct contents *m, const struct network *net, int first, const int *kind)
{
	int *slot = m->index + (size_t)first * (size_t)m->most, *body, known = 0;
	int longest = net->layers - first < m->most ? net->layers - first : m->most;
	double *activation, *backward;

	/* A run within one body is the same content wherever it starts; other runs are distinct. */
	for (; first > 0 && known < longest && kind[first - 1] == kind[first + known]; known++)
		slot[known] = slot[known - m->most];
	if (known == longest)
		return;
	body = xcalloc((size_t)net->nbodies, sizeof *body);
	activation = xcalloc((size_t)longest, sizeof *activation);
	backward = xcalloc((size_t)longest, sizeof *backward);
	pareto_least_runs(&m->cache->fronts[0], kind + first, known, longest, (struct rates){ .mb = 1 }, activation);
	pareto_least_runs(&m->cache->fronts[0], kind + first, known, longest, (struct rates){ .ms = 1 }, backward);
	for (int n = 0; n < longest; n++) {
		body[kind[first + n]]++;
		if (n >= known)
			slot[n] = add_content(m, net, body, activation[n], backward[n]);
	}
	free(body);
	free(activation);
	free(backward);
}

/*
 * Exit before planning if the runs of layers need more than WORDS_MAX words of this process's memory. Runs with layers
 * of several bodies are distinct contents, and each stores a number of layers per body.
 */
static void
check_size(const struct network *net, int tiers, int most)
{
	double runs = 0;
	int at = 0;

	for (int b = 0; b < net->nbodies; b++)
		for (int i = net->body[b].layers; i > 0; i--, at++) {
			int longest = net->layers - at < most ? net->layers - at : most;

			runs += longest > i ? longest - i : 0;
		}
	if (tiers * runs * (net->nbodies + RUN_WORDS) > WORDS_MAX)
		errx(STATUS_ERROR, "%d different BODY layers, %d in all, are too many to plan: merge similar layers",
		    net->nbodies, net->layers);
}

/* Add the contents of the tiers after the first. */
static void
add_tiers(struct contents *m)
{
	m->content = xreallocarray(m->content, (size_t)m->each * (size_t)m->cache->tiers + 1, sizeof *m->content);
	for (int i = m->each; i < m->each * m->cache->tiers; i++) {
		struct content *c = &m->content[i];
		const struct pareto *fronts;

		*c = m->content[i % m->each];
		c->tier = i / m->each;
		fronts = &m->cache->fronts[c->tier];
		c->body = xcalloc((size_t)m->nbodies, sizeof *c->body);
		memcpy(c->body, m->content[i % m->each].body, (size_t)m->nbodies * sizeof *c->body);
		c->activation = pareto_least(fronts, c->body, (struct rates){ .mb = 1 });
		c->backward = pareto_least(fronts, c->body, (struct rates){ .ms = 1 });
	}
	m->ncontents = m->each * m->cache->tiers;
}

struct contents
contents_new(const struct network *net, int tiers, int most, bool listed)
{
	struct contents m = { .nbodies = net->nbodies, .layers = net->layers, .most = most, .empty = -1 };
	int *kind = xcalloc((size_t)net->layers, sizeof *kind), *none = xcalloc((size_t)net->nbodies, sizeof *none);

	check_size(net, tiers, most);
	for (int b = 0, at = 0; b < net->nbodies; b++)
		for (int i = 0; i < net->body[b].layers; i++)
			kind[at++] = b;
	m.cache = xcalloc(1, sizeof *m.cache);
	m.cache->tiers = tiers;
	m.cache->fronts = xcalloc((size_t)tiers, sizeof *m.cache->fronts);
	for (int i = 0; i < tiers; i++)
		m.cache->fronts[i] = pareto_new(&net[i], most, listed);
	pthread_mutex_init(&m.cache->lock, NULL);
	m.index = xcalloc((size_t)net->layers * (size_t)most, sizeof *m.index);
	for (int first = 0; first < net->layers; first++)
		add_runs(&m, net, first, kind);
	if (net->empty || net->alone)
		m.empty = add_content(&m, net, none, 0, 0);
	m.each = m.ncontents;
	add_tiers(&m);
	m.cache->front = xcalloc((size_t)m.ncontents, sizeof *m.cache->front);
	free(none);
	free(kind);
	return m;
}

static void
forget(const struct contents *m)
{
	for (int i = 0; i < m->ncontents; i++) {
		struct pareto_front *f = atomic_exchange_explicit(&m->cache->front[i], NULL, memory_order_relaxed);

		if (f != NULL)
			pareto_front_free(f);
		free(f);
	}
	m->cache->bytes = 0;
}

void
contents_free(struct contents *m)
{
	forget(m);
	for (int i = 0; i < m->ncontents; i++)
		free(m->content[i].body);
	for (int i = 0; i < m->cache->tiers; i++)
		pareto_free(&m->cache->fronts[i]);
	free(m->cache->fronts);
	pthread_mutex_destroy(&m->cache->lock);
	free(m->cache->front);
	free(m->cache);
	free(m->content);
	free(m->index);
	*m = (struct contents){ 0 };
}

int
contents_find(const struct contents *m, int tier, int first, int length)
{
	int content = m->empty;

	if (length != 0) {
		if (length < 1 || length > m->most || first < 0 || first + length > m->layers)
			return -1;
		content = m->index[(size_t)first * (size_t)m->most + (size_t)length - 1];
	}
	return content < 0 ? -1 : tier * m->each + content;
}

const struct pareto_front *
contents_front(const struct contents *m, int content)
{
	struct front_cache *k = m->cache;
	struct pareto_front *f = atomic_load_explicit(&k->front[content], memory_order_acquire);

	if (f != NULL)
		return f;
	pthread_mutex_lock(&k->lock);
	f = atomic_load_explicit(&k->front[content], memory_order_relaxed);
	if (f == NULL) {
		f = xcalloc(1, sizeof *f);
		*f = pareto_make(&k->fronts[m->content[content].tier], m->content[content].body);
		k->bytes += sizeof *f + (size_t)f->n *
		    (sizeof *f->mix + (size_t)m->nbodies * RECOMPUTE_KINDS * sizeof *f->count);
		atomic_store_explicit(&k->front[content], f, memory_order_release);
	}
	pthread_mutex_unlock(&k->lock);
	return f;
}

double
contents_least(const struct contents *m, int content, struct rates rates)
{
	const struct content *c = &m->content[content];

	return pareto_least(&m->cache->fronts[c->tier], c->body, rates);
}

double
contents_floor(const struct contents *m, int content, double room)
{
	const struct content *c = &m->content[content];

	return pareto_floor(&m->cache->fronts[c->tier], c->body, room);
}

void
contents_forget(const struct contents *m)
{
	if (m->cache->bytes > SHED_BYTES)
		forget(m);
}
