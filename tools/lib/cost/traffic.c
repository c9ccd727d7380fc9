#include "traffic.h"

#include <math.h>

#define GIGA 1e9
#define MICRO 1e-6

/* Return the index of the first link that spans the group, or of the last link. */
static int
top_link(const struct cluster *c, double span)
{
	const struct cluster_link *link = c->links.at;

	for (int j = 0; j < c->links.n; j++)
		if (link[j].span >= span)
			return j;
	return c->links.n - 1;
}

/* Return the number of members that are in one unit of LINK, such as a node. */
static double
share(const struct cluster_link *link, struct group g)
{
	return fmin(g.members, fmax(1, floor(link->span / g.stride)));
}

static double
speed(const struct cluster *c, const struct cluster_link *link)
{
	return link->bandwidth * GIGA * c->efficiency.network;
}

struct route
route_ring(const struct cluster *c, struct group g)
{
	const struct cluster_link *link = c->links.at;
	int top = top_link(c, g.members * g.stride);
	double slowest = INFINITY, inside = 1;

	if (g.members <= 1)
		return (struct route){ 0 };
	/* The members in a unit share its connections to the outside. */
	for (int j = 0; j <= top && inside < g.members; j++) {
		slowest = fmin(slowest, inside * speed(c, &link[j]));
		inside = share(&link[j], g);
	}
	return (struct route){
		.per_byte = (g.members - 1) / g.members / slowest,
		.latency = link[top].latency * MICRO * ceil(log2(g.members)),
	};
}

struct route
route_all_to_all(const struct cluster *c, struct group g)
{
	const struct cluster_link *link = c->links.at;
	int top = top_link(c, g.members * g.stride);
	double most = 0, inside = 1;

	if (g.members <= 1)
		return (struct route){ 0 };
	for (int j = 0; j <= top; j++) {
		double unit = j == top ? g.members : share(&link[j], g);

		most = fmax(most, (unit - inside) / g.members / speed(c, &link[j]));
		inside = unit;
	}
	return (struct route){ .per_byte = most, .latency = link[top].latency * MICRO };
}

struct route
route_dispatch(const struct cluster *c, struct group g, bool flex, double k, int node_limit,
    struct list *part)
{
	const struct cluster_link *link = c->links.at;
	int top = top_link(c, g.members * g.stride);
	double most = 0, inside = 1;

	if (g.members <= 1)
		return (struct route){ 0 };
	if (part != NULL)
		*part = list_new(top + 1);
	for (int j = 0; j <= top; j++) {
		double unit = j == top ? g.members : share(&link[j], g), units = g.members / inside;
		double hit = units * (1 - pow(1 - 1 / units, k)), bytes = (unit - inside) / g.members;

		if (j > 0 && j == top && node_limit > 0)
			hit = fmin(hit, node_limit);
		if (flex)
			bytes = hit * (1 - inside / unit) / k;
		most = fmax(most, bytes / (link[j].bandwidth * GIGA * cluster_dispatch(c, flex, j > 0)));
		if (part != NULL)
			part->at[j] = bytes;
		inside = unit;
	}
	return (struct route){ .per_byte = most, .latency = link[top].latency * MICRO };
}

struct route
route_between(const struct cluster *c, double span)
{
	const struct cluster_link *link = &((const struct cluster_link *)c->links.at)[top_link(c, span)];

	return (struct route){ .per_byte = 1 / speed(c, link), .latency = link->latency * MICRO };
}

void
route_measured(struct route *r, const struct collectives *all, const struct cluster *c, struct group g,
    enum collective_kind kind)
{
	double node = c->devices_per_node, nodes = ceil(g.members * g.stride / node);
	const struct collective *k = g.members > 1 ? collectives_find(all, kind, g.members, nodes) : NULL;
	struct group then;
	struct route of;

	if (k == NULL)
		return;
	/* Reconstruct the measured group from its nodes. Its members are distributed evenly over them. */
	then = (struct group){ k->members, k->nodes > 1 ? fmax(1, ceil(k->nodes * node / k->members)) : 1 };
	if (kind == COLLECTIVE_SENDS)
		of = route_between(c, nodes > 1 ? 2 * node : 2);
	else
		of = kind == COLLECTIVE_EXCHANGE ? route_all_to_all(c, then) : route_ring(c, then);
	r->known = k;
	r->known_per_byte = of.per_byte;
	r->known_latency = of.latency;
}

double
route_time(struct route r, double rounds, double bytes)
{
	double knot;

	if (!(bytes > 0))
		return 0;
	if (r.known == NULL)
		return rounds * (bytes * r.per_byte + r.latency);
	/* Interpolate within the measured bytes. Beyond them, and for other groups, scale by computed times. */
	knot = fmin(fmax(bytes, r.known->bytes[0]), r.known->bytes[r.known->n - 1]);
	return rounds * collective_time(r.known, knot) * (bytes * r.per_byte + r.latency) /
	    (knot * r.known_per_byte + r.known_latency);
}
