/* The cluster record. */
#include "cluster.h"

static const struct field cluster_link_field[] = {
	REQUIRED(cluster_link, span, POSITIVE),
	REQUIRED(cluster_link, bandwidth, POSITIVE),
	REQUIRED(cluster_link, latency, NONNEGATIVE),
};
static const struct fields cluster_link_fields = FIELDS(cluster_link, "links");

static const struct field efficiency_field[] = {
	REQUIRED(efficiency, matmul, POSITIVE),
	OPTIONAL(efficiency, size, NONNEGATIVE),
	REQUIRED(efficiency, attention, POSITIVE),
	REQUIRED(efficiency, memory, POSITIVE),
	REQUIRED(efficiency, network, POSITIVE),
};
static const struct fields efficiency_fields = FIELDS(efficiency, "efficiency");

static const struct field overlap_field[] = {
	OPTIONAL(overlap, dp, NONNEGATIVE),
	OPTIONAL(overlap, tp, NONNEGATIVE),
	OPTIONAL(overlap, ep, NONNEGATIVE),
	OPTIONAL(overlap, pp, NONNEGATIVE),
};
static const struct fields overlap_fields = FIELDS(overlap, "overlap");

static const struct field ring_field[] = {
	OPTIONAL(ring, block, NONNEGATIVE),
	OPTIONAL(ring, step, NONNEGATIVE),
	OPTIONAL(ring, hidden, NONNEGATIVE),
	OPTIONAL(ring, sums, NONNEGATIVE),
};
static const struct fields ring_fields = FIELDS(ring, "ring");

static const struct field cluster_field[] = {
	REQUIRED(cluster, name, ANY),
	REQUIRED(cluster, devices_per_node, POSITIVE),
	OPTIONAL(cluster, memory_limit, POSITIVE),
	OPTIONAL(cluster, reserve, NONNEGATIVE),
	REQUIRED(cluster, peak, POSITIVE),
	OPTIONAL(cluster, peak_linear, POSITIVE),
	REQUIRED(cluster, memory_bandwidth, POSITIVE),
	NESTED(FIELD_ARRAY, cluster, links, false, &cluster_link_fields),
	NESTED(FIELD_OBJECT, cluster, efficiency, false, &efficiency_fields),
	OPTIONAL(cluster, launch, NONNEGATIVE),
	OPTIONAL(cluster, logit_bytes, NONNEGATIVE),
	NESTED(FIELD_OBJECT, cluster, overlap, true, &overlap_fields),
	NESTED(FIELD_OBJECT, cluster, ring, true, &ring_fields),
	OPTIONAL(cluster, fitted, ANY),
};
const struct fields cluster_fields = FIELDS(cluster, "cluster");

static void
check_fraction(double value, const char *of, const char *name, struct place at)
{
	if (value > 1)
		place_die(at, "cluster: %s: %s: more than all of it '%g'", of, name, value);
}

void
cluster_check(struct cluster *c, struct place at)
{
	const struct cluster_link *link = c->links.at;

	if (c->links.n == 0)
		place_die(at, "cluster: links: empty '%s'", c->name);
	for (int i = 1; i < c->links.n; i++)
		if (link[i].span <= link[i - 1].span)
			place_die(at, "cluster: links: span: not more than that of the link inside it '%g'",
			    link[i].span);
	check_fraction(c->efficiency.matmul, "efficiency", "matmul", at);
	check_fraction(c->efficiency.attention, "efficiency", "attention", at);
	check_fraction(c->efficiency.memory, "efficiency", "memory", at);
	check_fraction(c->efficiency.network, "efficiency", "network", at);
	check_fraction(c->overlap.dp, "overlap", "dp", at);
	check_fraction(c->overlap.tp, "overlap", "tp", at);
	check_fraction(c->overlap.ep, "overlap", "ep", at);
	check_fraction(c->overlap.pp, "overlap", "pp", at);
#define DEFAULT(member, value) if (!GIVEN(ring, &c->ring, member)) c->ring.member = (value)
	DEFAULT(block, 96);
	DEFAULT(step, 18);
	DEFAULT(hidden, 0.8);
	DEFAULT(sums, 7);
#undef DEFAULT
	check_fraction(c->ring.hidden, "ring", "hidden", at);
	if (!GIVEN(cluster, c, peak_linear))
		c->peak_linear = c->peak;
	if (!GIVEN(cluster, c, logit_bytes))
		c->logit_bytes = 8;
}
