#include "reduction.h"

#include <math.h>

/*
 * Default of DeepSpeed's stage3_max_live_parameters. DeepSpeed gathers a layer with more parameters one product at a
 * time. Five published steps with such layers agree with exchanges in which each device has its own link. With smaller
 * layers the devices of a node share its links.
 */
#define LIVE_PARAMETERS 1e9

/* Return the number of devices that hold the same routed experts. */
static double
expert_replicas(const struct configuration *c)
{
	return floor((double)c->dp * c->cp * c->tp / ((double)c->ep * c->etp));
}

struct shards
shards_of(const struct configuration *c)
{
	double replicas = (double)c->dp * c->cp;

	if (c->zero == 0)
		return (struct shards){ 1, 1 };
	return (struct shards){ c->shard, fmax(1, floor(expert_replicas(c) * c->shard / replicas)) };
}

bool
reduction_is_for(const struct reduction *r, const struct configuration *c)
{
	return r->dp == c->dp && r->tp == c->tp && r->cp == c->cp && r->pp == c->pp && r->ep == c->ep &&
	    r->etp == c->etp && r->zero == c->zero && r->shard == c->shard;
}

/* Return the route of a collective of KIND in a group. Measurements of KIND replace measurements of rings. */
static struct route
ring(const struct cluster *l, const struct collectives *known, enum collective_kind kind, double members, double stride)
{
	struct group g = { members, stride };
	struct route r = route_ring(l, g);

	route_measured(&r, known, l, g, COLLECTIVE_RING);
	if (r.known != NULL && kind != COLLECTIVE_RING) {
		struct route own = route_ring(l, g);

		route_measured(&own, known, l, g, kind);
		if (own.known != NULL && own.known->members == r.known->members && own.known->nodes == r.known->nodes)
			return own;
	}
	return r;
}

/* If no ring of this group was measured, set the time per byte of R as if no other group shared a member's link. */
static void
part(struct route *r, const struct cluster *l, double members, double stride)
{
	if (members > 1 && r->known == NULL)
		r->per_byte = (members - 1) / members * route_between(l, members * stride).per_byte;
}

struct reduction
reduction_of(const struct architecture *n, const struct cluster *l, const struct collectives *known,
    const struct configuration *c, double largest)
{
	struct reduction r = { .dp = c->dp, .tp = c->tp, .cp = c->cp, .pp = c->pp, .ep = c->ep, .etp = c->etp,
	    .zero = c->zero,
		.shard = c->shard, .shards = shards_of(c) };
	double replicas = (double)c->dp * c->cp, experts = expert_replicas(c), stride = (double)c->ep * c->etp;
	double devices = replicas * c->tp * c->pp;

	if (c->zero == 0) {
		r.dense = ring(l, known, COLLECTIVE_RING, replicas, c->tp);
		r.routed = ring(l, known, COLLECTIVE_RING, experts, stride);
	} else {
		r.dense = ring(l, known, COLLECTIVE_SCATTER, r.shards.dense, c->tp);
		r.routed = ring(l, known, COLLECTIVE_SCATTER, r.shards.routed, stride);
		r.dense_gather = ring(l, known, COLLECTIVE_GATHER, r.shards.dense, c->tp);
		r.routed_gather = ring(l, known, COLLECTIVE_GATHER, r.shards.routed, stride);
	}
	if (c->zero == 3 && largest > LIVE_PARAMETERS) {
		part(&r.dense, l, r.shards.dense, c->tp);
		part(&r.dense_gather, l, r.shards.dense, c->tp);
	}
	if (c->zero > 0) {
		r.between_dense = ring(l, known, COLLECTIVE_RING, floor(replicas / r.shards.dense),
		    c->tp * r.shards.dense);
		r.between_routed = ring(l, known, COLLECTIVE_RING, floor(experts / r.shards.routed),
		    stride * r.shards.routed);
	}
	if (n->tied && c->pp > 1)
		r.tied = ring(l, known, COLLECTIVE_RING, 2, floor(devices / 2));
	r.transfer = route_between(l, devices);
	route_measured(&r.transfer, known, l, (struct group){ 2, devices / 2 }, COLLECTIVE_SENDS);
	return r;
}

/*
 * Return the seconds to reduce the gradients and gather the weights of PARAMETERS. R: gradients within a shard group;
 * GATHER: weights; BETWEEN: gradients among shard groups.
 */
static double
shard_traffic(struct route r, struct route gather, struct route between, double parameters, double shards,
    const struct architecture *n, const struct configuration *c)
{
	double gradient = n->precision.gradient * parameters, weight = fmin(n->precision.weight, 2) * parameters;
	double scatters = c->zero >= 2 ? c->micro_batches : 1, gathers = c->zero == 3 ? 2.0 * c->micro_batches : 1;

	if (c->zero == 0)
		return route_time(r, 2, gradient);
	return route_time(r, scatters, gradient) + route_time(gather, gathers, weight) +
	    route_time(between, 2, gradient / shards);
}

struct outside
reduction_times(const struct reduction *r, const struct architecture *n, const struct cluster *l,
    const struct configuration *c,
    struct parameters p, double forward, double backward)
{
	double dense = (double)p.dense, routed = (double)p.routed, window = c->zero == 0 ? backward
	    : forward + backward;
	double memory = l->memory_bandwidth * 1e9 * l->efficiency.memory;
	/* If the rate of the host link is unknown, count the optimizer as if the device alone ran it. */
	double host = l->host_link > 0 ? c->optimizer_host : 0;
	double states = configuration_states(c, n->precision.optimizer);
	struct outside o;

	o.all = shard_traffic(r->dense, r->dense_gather, r->between_dense, dense, r->shards.dense, n, c) +
	    shard_traffic(r->routed, r->routed_gather, r->between_routed, routed, r->shards.routed, n, c);
	if (c->zero >= 2)
		window *= c->micro_batches;
	o.exposed = o.all - fmin(l->overlap.dp * o.all, window);
	o.optimizer = (dense / r->shards.dense + routed / r->shards.routed) *
	    (((1 - host) * 2 * states + n->precision.gradient + n->precision.weight) / memory +
	    (host > 0 ? host * (n->precision.gradient + fmin(n->precision.weight, 2)) / (l->host_link * 1e9) : 0));
	return o;
}

void
reduction_tied(const struct reduction *r, const struct architecture *n, const struct configuration *c,
    struct outside *o)
{
	double bytes = n->precision.gradient * (double)parameters_vocabulary(n, c->tp) * n->hidden_size / c->tp;

	if (!n->tied || c->pp == 1)
		return;
	o->exposed += route_time(r->tied, 2, bytes);
}
