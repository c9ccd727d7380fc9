#include "cluster.h"

#include <string.h>

#include "device_operator.h"

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
	OPTIONAL(efficiency, grouped, POSITIVE),
	OPTIONAL(efficiency, grouped_size, NONNEGATIVE),
	OPTIONAL(efficiency, permute, NONNEGATIVE),
	OPTIONAL(efficiency, fused, NONNEGATIVE),
	OPTIONAL(efficiency, quantize, NONNEGATIVE),
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

static const struct field dispatching_field[] = {
	OPTIONAL(dispatching, alltoall, POSITIVE),
	OPTIONAL(dispatching, flex, POSITIVE),
};
static const struct fields dispatching_fields = FIELDS(dispatching, "dispatch");

static const struct field host_field[] = {
	OPTIONAL(host, attention, NONNEGATIVE),
	OPTIONAL(host, mla, NONNEGATIVE),
	OPTIONAL(host, mlp, NONNEGATIVE),
	OPTIONAL(host, router, NONNEGATIVE),
	OPTIONAL(host, experts, NONNEGATIVE),
	OPTIONAL(host, expert, NONNEGATIVE),
	OPTIONAL(host, shared, NONNEGATIVE),
	OPTIONAL(host, sync, NONNEGATIVE),
};
static const struct fields host_fields = FIELDS(host, "host");

static const char *const confidences[] = { "fitted", "borrowed", "none", NULL };

static const struct field reached_field[] = {
	CHOICE(reached, dtype, false, number_types),
	OPTIONAL(reached, software, ANY),
	REQUIRED(reached, peak, POSITIVE),
	NESTED(FIELD_OBJECT, reached, efficiency, false, &efficiency_fields),
	OPTIONAL(reached, launch, NONNEGATIVE),
	NESTED(FIELD_OBJECT, reached, overlap, true, &overlap_fields),
	NESTED(FIELD_OBJECT, reached, dispatch, true, &dispatching_fields),
	NESTED(FIELD_OBJECT, reached, host, true, &host_fields),
	OPTIONAL(reached, exp_width, NONNEGATIVE),
	OPTIONAL(reached, fitted, ANY),
	CHOICE(reached, confidence, true, confidences),
};
static const struct fields reached_fields = FIELDS(reached, "kernels");

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
	CHOICE(cluster, confidence, true, confidences),
	OPTIONAL(cluster, exp_width, NONNEGATIVE),
	NESTED(FIELD_OBJECT, cluster, dispatch, true, &dispatching_fields),
	OPTIONAL(cluster, host_link, POSITIVE),
	NESTED(FIELD_OBJECT, cluster, host, true, &host_fields),
	NESTED(FIELD_ARRAY, cluster, kernels, true, &reached_fields),
	OPTIONAL(cluster, software, ANY),
	OPTIONAL(cluster, source, ANY),
};
const struct fields cluster_fields = EXACT_FIELDS(cluster, "cluster");

static void
check_fraction(double value, const char *of, const char *name, struct place at)
{
	if (value > 1)
		place_die(at, "cluster: %s: %s: a fraction above 1 '%g'", of, name, value);
}

static void
check_dispatch(const struct list *l, const char *name, struct place at)
{
	if (l->n != 0 && l->n != 2)
		place_die(at, "cluster: dispatch: %s: expected two fractions, of the innermost link and of the other "
		    "links '%d'",
		    name, l->n);
	for (int i = 0; i < l->n; i++)
		check_fraction(l->at[i], "dispatch", name, at);
}

/* Check the members that give details of layers, and that their required companions exist. */
static void
check_details(struct cluster *c, struct place at)
{
	struct efficiency *e = &c->efficiency;

	check_dispatch(&c->dispatch.alltoall, "alltoall", at);
	check_dispatch(&c->dispatch.flex, "flex", at);
#define DEFAULT(member, value) if (GIVEN(efficiency, e, member)) c->detailed = true; else e->member = (value)
	DEFAULT(grouped, 1);
	DEFAULT(grouped_size, e->size);
	DEFAULT(permute, 4);
	DEFAULT(fused, 1);
	DEFAULT(quantize, 1);
#undef DEFAULT
	check_fraction(e->grouped, "efficiency", "grouped", at);
	check_fraction(e->fused, "efficiency", "fused", at);
	c->hosted = GIVEN(cluster, c, host);
	c->detailed |= c->hosted || GIVEN(cluster, c, dispatch) || GIVEN(cluster, c, exp_width);
}

double
cluster_dispatch(const struct cluster *c, bool flex, bool beyond)
{
	const struct list *l = flex ? &c->dispatch.flex : &c->dispatch.alltoall;

	return l->n > 0 ? l->at[beyond] : c->efficiency.network;
}

static const struct cluster default_cluster;

/* Replace the cluster's own figures by the figures of K. Members that K lacks become absent. */
static void
take_kernels(struct cluster *flat, const struct cluster *c, const struct reached *k)
{
	*flat = *c;
	flat->kernels = (struct array){ 0 };
	FORGET(cluster, flat, kernels);
	if (k == NULL)
		return;
	flat->efficiency = k->efficiency;
	GIVE(cluster, flat, peak_linear, k->peak);
#define TAKE(m) do { \
	if (GIVEN(reached, k, m)) \
		GIVE(cluster, flat, m, k->m); \
	else \
		flat->m = default_cluster.m, FORGET(cluster, flat, m); \
} while (0)
	TAKE(launch);
	TAKE(overlap);
	TAKE(dispatch);
	TAKE(host);
	TAKE(exp_width);
	TAKE(fitted);
	TAKE(confidence);
#undef TAKE
	flat->detailed = false;
	cluster_check(flat, (struct place){ .source = c->name });
}

/* Return the bytes of a number, without the scales of its block. */
static int
width_of(int type)
{
	return type == TYPE_FP32 ? 4 : type == TYPE_BF16 || type == TYPE_FP16 ? 2 : type == TYPE_FP4 ? 0 : 1;
}

bool
cluster_of_type(struct cluster *flat, const struct cluster *c, int type)
{
	const struct reached *k = c->kernels.at, *found = NULL;

	for (int i = 0; i < c->kernels.n; i++)
		if (width_of(k[i].dtype) == width_of(type) && (found == NULL || k[i].dtype == type) &&
		    width_of(type) != 2)
			found = &k[i];
	take_kernels(flat, c, found);
	return found != NULL || (width_of(type) < 2) == (c->peak_linear > c->peak);
}

bool
cluster_of_software(struct cluster *flat, const struct cluster *c, const char *software)
{
	const struct reached *k = c->kernels.at;

	if (c->software != NULL && strcmp(c->software, software) == 0) {
		take_kernels(flat, c, NULL);
		return true;
	}
	for (int i = 0; i < c->kernels.n; i++)
		if (k[i].software != NULL && strcmp(k[i].software, software) == 0) {
			take_kernels(flat, c, &k[i]);
			return true;
		}
	return false;
}

bool
cluster_allocates(const struct cluster *c)
{
	return !GIVEN(cluster, c, reserve);
}

void
cluster_check(struct cluster *c, struct place at)
{
	const struct cluster_link *link = c->links.at;

	if (c->links.n == 0)
		place_die(at, "cluster: links: empty list '%s'", c->name);
	for (int i = 1; i < c->links.n; i++)
		if (link[i].span <= link[i - 1].span)
			place_die(at, "cluster: links: span: not above the span of the link before it '%g'",
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
	check_details(c, at);
}
