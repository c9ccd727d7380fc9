/* Costs and parameters are in hash tables by division; splits are in a list. */
#include "prepared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/cost/in_flight.h"
#include "anchor.h"
#include "operator_cost.h"

enum { COSTS_KEPT = 4096, PARAMETERS_KEPT = 256 };

struct prepared {
	const struct architecture *net;
	const struct cluster *cluster;
	const struct estimating *how;
	const struct measured *measured;
	int without;				/* index of an anchor to omit; -1: none */
	struct costs *costs[COSTS_KEPT];	/* by hash of the division; NULL: unused */
	struct {
		int tp, ep, etp;
		bool stages;
		struct device_parameters at;
	} parameters[PARAMETERS_KEPT];
	int nsplits;
	/* [nsplits], one per number of stages and of tail layers; the one that was found last is first */
	struct stage_split *split;
	struct stage_split own;			/* split of the last configuration that had stage_layers */
};

struct prepared *
prepared_new(const struct architecture *n, const struct cluster *c, const struct estimating *how,
    const struct measured *anchors, int without)
{
	struct prepared *r = xcalloc(1, sizeof *r);

	r->net = n;
	r->cluster = c;
	r->how = how;
	r->measured = anchors;
	r->without = without;
	return r;
}

void
prepared_free(struct prepared *r)
{
	for (int i = 0; i < r->nsplits; i++)
		stage_split_free(&r->split[i]);
	free(r->split);
	stage_split_free(&r->own);
	for (int i = 0; i < COSTS_KEPT; i++)
		free(r->costs[i]);
	free(r);
}

/* Compute costs from the operator table, or from shapes if the table is empty. */
static void
costs_of(const struct prepared *r, const struct division *d, struct costs *k)
{
	const struct measured *m = &r->how->measured;

	costs_compute(k, r->net, r->cluster, d, r->how->imbalance);
	if (!operator_table_empty(&m->operators))
		operators_apply(&m->operators, &m->collectives, r->net, r->cluster, r->how->imbalance, k);
}

static void
compute_costs(struct prepared *r, struct costs *k, const struct division *d)
{
	const struct measured *m = &r->how->measured;
	struct costs as_measured;
	struct division then = *d;

	costs_of(r, d, k);
	if (r->measured->nanchors > 0)
		anchors_apply(r->measured, r->net, r->without, k);
	if (d->profile > 0) {
		then.mbs = m->profile[d->profile - 1].mbs;
		costs_of(r, &then, &as_measured);
		measured_apply_profile(m, r->net, d->profile, k, &as_measured);
		k->layers = k->ends = (struct grounds){ .source = then.mbs == d->mbs ? SOURCE_MEASURED :
		    SOURCE_FITTED };
	}
	if (!measured_layers(m))
		return;
	then.tp = m->tp > 0 ? m->tp : d->tp;
	then.mbs = m->mbs > 0 ? m->mbs : d->mbs;
	then.sp = then.tp == d->tp ? d->sp : then.tp > 1;
	costs_of(r, &then, &as_measured);
	measured_apply(m, r->net, k, &as_measured);
	k->layers = (struct grounds){ .source = then.tp == d->tp && then.mbs == d->mbs ? SOURCE_MEASURED :
	    SOURCE_FITTED };
	if (m->head.forward >= 0 || m->tail.forward >= 0)
		k->ends = k->layers;
}

const struct costs *
prepared_costs(struct prepared *r, const struct configuration *c)
{
	struct division d;
	uint32_t hash;
	struct costs **at, *k;

	memset(&d, 0, sizeof d);	/* divisions are compared byte by byte */
	d.tp = c->tp;
	d.cp = c->cp;
	d.cp_kind = c->cp_kind;
	d.ep = c->ep;
	d.etp = c->etp;
	d.mbs = c->mbs;
	d.sp = c->sp;
	d.modules = configuration_modules(c);
	d.store = c->store;
	/* Linear layers keep their inputs in the type of their products. */
	if (!GIVEN(configuration, c, store) && d.store == configuration_plain.store && cluster_allocates(r->cluster) &&
	    r->cluster->peak_linear > r->cluster->peak)
		d.store = 1.03125;
	d.dispatcher = c->dispatcher;
	d.graph = c->graph;
	d.graph_scope = c->graph_scope;
	d.ep_overlap = c->ep_overlap;
	d.fused = c->fused;
	d.attention8 = c->attention8;
	d.profile = r->how->measured.nprofiles > 0 ? measured_profile(&r->how->measured, c) : 0;
	hash = (uint32_t)c->tp * 2654435761u + (uint32_t)(2 * c->cp + c->cp_kind) * 2246822519u +
	    (uint32_t)c->ep * 3266489917u + (uint32_t)c->etp * 668265263u + (uint32_t)c->mbs * 374761393u + c->sp +
	    (uint32_t)d.profile * 97u +
	    (uint32_t)(d.dispatcher + 4 * d.graph + 16 * d.graph_scope + 128 * d.ep_overlap + 256 * d.modules) * 193u +
	    (uint32_t)d.fused * 389u;
	at = &r->costs[(hash ^ hash >> 15) % COSTS_KEPT];
	if (*at == NULL)
		*at = xcalloc(1, sizeof **at);
	k = *at;
	if (memcmp(&k->of, &d, sizeof d) != 0)
		compute_costs(r, k, &d);
	k->of = d;
	return k;
}

const struct device_parameters *
prepared_parameters(struct prepared *r, const struct configuration *c)
{
	bool stages = c->pp > 1;
	uint32_t hash = (uint32_t)c->tp * 2654435761u + (uint32_t)c->ep * 2246822519u + (uint32_t)c->etp * 3266489917u +
	    stages;
	int i = (int)((hash ^ hash >> 13) % PARAMETERS_KEPT);

	if (r->parameters[i].tp != c->tp || r->parameters[i].ep != c->ep || r->parameters[i].etp != c->etp ||
	    r->parameters[i].stages != stages) {
		r->parameters[i].tp = c->tp;
		r->parameters[i].ep = c->ep;
		r->parameters[i].etp = c->etp;
		r->parameters[i].stages = stages;
		r->parameters[i].at = parameters_on_device(r->net, c->tp, c->ep, c->etp, stages);
	}
	return &r->parameters[i].at;
}

/*
 * Return the number of layers that take the time of head and multi-token prediction, for the even split. The number
 * leaves a layer to every chunk of the last stage. If pieces may be empty, it is at most the number of layers of the
 * last two stages.
 */
static int
tail_layers(const struct architecture *n, const struct configuration *c, const struct costs *k)
{
	int stages = c->pp;
	const struct layer_cost *last = &k->layer[parameters_last(n)];
	double tail = fmin(round((k->head.forward + k->head.backward) / (last->forward + last->backward)), n->layers);

	if (n->mtp_layers == 0 || stages == 1)
		return 0;
	while (tail > 0 && (pieces_alone(c, n->layers) ? 2 * floor((n->layers + tail) / stages) < tail :
	    floor((n->layers + tail) / stages) - tail < c->vp))
		tail--;
	return (int)tail;
}

const struct stage_split *
prepared_split(struct prepared *r, const struct configuration *c, const struct costs *k)
{
	struct stage_split s;
	int stages = c->pp, tail = c->tail_even ? tail_layers(r->net, c, k) : 0;

	if (c->stage_layers.at != NULL) {
		stage_split_free(&r->own);
		r->own = stage_split_new(r->net, stages, 0, c->stage_layers.at);
		return &r->own;
	}

	for (int i = 0; i < r->nsplits; i++)
		if (r->split[i].stages == stages && r->split[i].tail == tail) {
			/*
			 * Consecutive configurations mostly have the same number of stages: move the match to the
			 * front.
			 */
			s = r->split[i];
			r->split[i] = r->split[0];
			r->split[0] = s;
			return &r->split[0];
		}
	r->split = xreallocarray(r->split, (size_t)r->nsplits + 1, sizeof *r->split);
	s = stage_split_new(r->net, stages, tail, NULL);
	r->split[r->nsplits++] = s;
	return &r->split[r->nsplits - 1];
}
