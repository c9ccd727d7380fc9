#include "operator_cost.h"

#include <math.h>
#include <string.h>

#include "lib/base/alloc.h"
#include "lib/cost/matmul.h"
#include "lib/cost/operator_list.h"
#include "lib/cost/traffic.h"
#include "measured.h"

#define MILLI 1e-3
#define GIGA 1e9
#define TERA 1e12

/* Classes of operators. The operators in a class have a common error. */
enum error_class { ERROR_LARGE, ERROR_MIDDLE, ERROR_SMALL, ERROR_OTHER, ERROR_COMPUTED, ERROR_COLLECTIVE,
	ERROR_FAR_COLLECTIVE, ERROR_CLASSES };
static const double class_error[ERROR_CLASSES] = { [ERROR_LARGE] = 0.04, [ERROR_MIDDLE] = 0.17, [ERROR_SMALL] = 0.26,
	[ERROR_OTHER] = 0.11, [ERROR_COMPUTED] = 0.3, [ERROR_COLLECTIVE] = 0.1, [ERROR_FAR_COLLECTIVE] = 0.3 };

#define BYTES_ERROR 0.27	/* relative error of memory traffic whose rate is computed */

struct operator_pricing {
	const struct operator_table *table;
	const struct collectives *collectives;
	const struct cluster *cluster;
	const struct division *division;
	const struct architecture *net;
};

/* Sums over a list of operators, s; [0] forward, [1] backward. */
struct operator_sum {
	double compute[2];		/* time of the device */
	double tp[2], cp[2], ep[2];	/* exposed collectives */
	/*
	 * parts of the forward: attention; operators that selective recomputation repeats; products; recomputed modules
	 */
	double attention, select, products, modules;
	double source[3];		/* s by enum measured_source */
	double class[ERROR_CLASSES];
	double share[LAYER_SHARES];
};

/* Return the seconds of an operator by the cluster's efficiency figures. */
static double
computed_time(const struct operator_pricing *p, const struct operator_key *k)
{
	const struct cluster *c = p->cluster;
	double groups = k->op == OPERATOR_GROUPED ? (double)k->size[PRODUCT_GROUPS] : 1;
	const struct matmul m = { .rows = (double)k->size[PRODUCT_M], .columns = (double)k->size[PRODUCT_N],
		.depth = (double)k->size[PRODUCT_K], .count = groups, .grouped = k->op == OPERATOR_GROUPED };

	if (k->op != OPERATOR_ATTENTION)
		return matmul_forward(c, c->peak_linear, &m);
	return operator_operations(k) * (k->causal ? 0.5 : 1) / (c->peak * TERA * c->efficiency.attention);
}

static enum error_class
fitted_class(const struct operator_key *k, double ms)
{
	if (k->op != OPERATOR_MATMUL)
		return ERROR_OTHER;
	return ms > 1 ? ERROR_LARGE : ms > 0.2 ? ERROR_MIDDLE : ERROR_SMALL;
}

/* Return the seconds of a product or an attention, without the gap. Set its source and error class. */
static double
keyed_time(const struct operator_pricing *p, const struct operator_key *k, enum measured_source *source,
    enum error_class *class)
{
	struct operator_time t = operator_table_time(p->table, k);

	if (t.time < 0) {
		*source = SOURCE_COMPUTED;
		*class = ERROR_COMPUTED;
		return computed_time(p, k);
	}
	*source = t.source == OPERATOR_MEASURED ? SOURCE_MEASURED : SOURCE_FITTED;
	*class = fitted_class(k, t.time);
	return p->table->sustain * MILLI * t.time;
}

static double
bytes_time(const struct operator_pricing *p, const struct listed_operator *o)
{
	double rate = operator_table_rate(p->table, o->of, o->backward, o->bytes);

	if (rate == 0)
		rate = p->cluster->memory_bandwidth * p->cluster->efficiency.memory;
	return o->bytes / (rate * GIGA) + MILLI * p->table->gap * o->kernels;
}

static struct group
group_of(const struct division *d, int group)
{
	switch (group) {
	case GROUP_TP:
		return (struct group){ d->tp, 1 };
	case GROUP_CP:
		return (struct group){ d->cp, d->tp };
	case GROUP_EP:
		return (struct group){ d->ep, d->etp };
	default:
		return (struct group){ d->etp, 1 };
	}
}

static double
collective_seconds(const struct operator_pricing *p, const struct listed_operator *o, enum error_class *class)
{
	struct group g = group_of(p->division, o->group);
	bool flex = o->group == GROUP_EP && p->division->dispatcher == DISPATCHER_FLEX;
	struct route r = o->op == OP_ALL_TO_ALL ? o->group == GROUP_EP ? route_dispatch(p->cluster, g, flex,
	    p->net->experts_per_token, p->net->node_limit, NULL) : route_all_to_all(p->cluster, g) :
	    route_ring(p->cluster, g);

	if (!flex)
		route_measured(&r, p->collectives, p->cluster, g, collective_kind_of(o->op));
	*class = r.known != NULL && r.known->members == g.members ? ERROR_COLLECTIVE : ERROR_FAR_COLLECTIVE;
	return route_time(r, r.known == NULL && o->op == OP_ALL_REDUCE ? 2 : 1, o->bytes);
}

static void
add_collective(struct operator_sum *s, const struct operator_pricing *p, const struct listed_operator *o,
    const double time[])
{
	enum error_class class;
	double all = collective_seconds(p, o, &class), exposed = all;
	double *to = o->group == GROUP_TP ? s->tp : o->group == GROUP_CP ? s->cp : s->ep;

	if (o->beside >= 0)
		exposed = fmax(0, all - time[o->beside]) + p->table->contention * fmin(all, time[o->beside]);
	to[o->backward] += exposed;
	s->class[class] += exposed;
	s->source[class == ERROR_COLLECTIVE ? SOURCE_MEASURED : SOURCE_COMPUTED] += exposed;
}

/* Return the sums over N operators. MODULES: the modules that are recomputed. */
static struct operator_sum
sum_operators(const struct operator_pricing *p, const struct listed_operator at[], int n, int modules)
{
	struct operator_sum s = { 0 };
	double time[LISTED_MOST];

	for (int i = 0; i < n; i++) {
		const struct listed_operator *o = &at[i];
		enum measured_source source = SOURCE_FITTED;
		enum error_class class = ERROR_CLASSES;
		int bounded = SHARE_MEMORY;
		double whole;

		time[i] = 0;
		if (o->group >= 0) {
			add_collective(&s, p, o, time);
			continue;
		}
		if (o->of != NULL) {
			whole = time[i] = bytes_time(p, o);
		} else {
			time[i] = keyed_time(p, &o->key, &source, &class);
			whole = o->times * (time[i] + MILLI * p->table->gap);
			bounded = o->key.op == OPERATOR_ATTENTION ? SHARE_ATTENTION : SHARE_MATMUL;
		}
		s.compute[o->backward] += whole;
		s.share[bounded] += whole;
		s.source[source] += whole;
		if (class < ERROR_CLASSES && source != SOURCE_MEASURED)
			s.class[class] += whole;
		if (o->backward)
			continue;
		s.attention += bounded == SHARE_ATTENTION ? whole : 0;
		s.products += bounded == SHARE_MATMUL ? whole : 0;
		s.select += o->select ? whole : 0;
		s.modules += (o->module & modules) != 0 ? whole : 0;
	}
	return s;
}

/* Return the relative standard deviation of the total. Errors add linearly within a class. */
static struct grounds
grounds_of(const struct operator_sum *s)
{
	double all = s->source[0] + s->source[1] + s->source[2], variance = 0;
	struct grounds g = { .source = SOURCE_COMPUTED, .error = 1e-9 };

	for (int i = 0; i < ERROR_CLASSES; i++)
		variance += pow(class_error[i] * s->class[i], 2);
	if (all > 0)
		g.error = fmax(sqrt(variance) / all, 1e-9);
	for (int i = 0; i < 3; i++) {
		g.share[i] = all > 0 ? s->source[i] / all : 0;
		if (g.share[i] > g.share[g.source])
			g.source = i;
	}
	return g;
}

static void
add_sums(struct operator_sum *to, const struct operator_sum *s, double times)
{
	for (int i = 0; i < 3; i++)
		to->source[i] += times * s->source[i];
	for (int i = 0; i < ERROR_CLASSES; i++)
		to->class[i] += times * s->class[i];
}

static void
take_layer(struct layer_cost *l, const struct operator_sum *s, const struct division *d)
{
	bool ring = d->cp > 1 && d->cp_kind != CONTEXT_ULYSSES;

	l->forward_compute = s->compute[0];
	l->backward_compute = s->compute[1];
	l->tp = (s->tp[0] + s->tp[1]) / 2;
	l->ep = (s->ep[0] + s->ep[1]) / 2;
	if (!ring) {
		l->cp[0] = s->cp[0];
		l->cp[1] = s->cp[1];
	}
	l->forward = s->compute[0] + s->tp[0] + s->ep[0] + l->cp[0];
	l->backward = s->compute[1] + s->tp[1] + s->ep[1] + l->cp[1];
	l->again[KEEP_FULL] = l->forward;
	l->again[KEEP_SELECT] = s->select;
	l->again[KEEP_CORE] = s->attention;
	l->again[KEEP_OP] = s->select + s->products / 2;
	l->again[KEEP_MODULES] = s->modules;
	memcpy(l->detail.share, s->share, sizeof s->share);
}

static void
take_end(struct end_cost *e, const struct operator_sum *s)
{
	e->forward = s->compute[0] + s->tp[0];
	e->backward = s->compute[1] + s->tp[1];
}

void
operators_apply(const struct operator_table *t, const struct collectives *all, const struct architecture *n,
    const struct cluster *c, double imbalance, struct costs *k)
{
	const struct division *d = &k->of;
	struct operator_pricing p = { t, all, c, d, n };
	struct listed_operator at[LISTED_MOST];
	struct operator_sum layers = { 0 }, ends = { 0 }, s;
	struct layer_sizes sizes = layer_sizes(n, d, imbalance);
	int count[CLASSES_MOST];

	architecture_counts(n, count);
	for (int i = 0; i < n->classes.n; i++) {
		const struct architecture *class = architecture_class(n, i);
		struct layer_sizes of = layer_sizes(class, d, imbalance);

		if (count[i] == 0)
			continue;
		p.net = class;
		if (operator_list_lacks(class) != NULL) {
			double time = k->layer[i].forward + k->layer[i].backward;

			layers.source[SOURCE_COMPUTED] += count[i] * time;
			layers.class[ERROR_COMPUTED] += count[i] * time;
			continue;
		}
		s = sum_operators(&p, at, operator_list_layer(&of, d, at), d->modules);
		take_layer(&k->layer[i], &s, d);
		add_sums(&layers, &s, count[i]);
	}
	k->layers = grounds_of(&layers);
	p.net = n;
	if (n->frozen)
		return;
	s = sum_operators(&p, at, operator_list_embedding(&sizes, d, at), 0);
	take_end(&k->embedding, &s);
	add_sums(&ends, &s, 1);
	s = sum_operators(&p, at, operator_list_head(&sizes, d, at), 0);
	/* Each multi-token prediction module needs another head. This part keeps its computed time. */
	if (n->mtp_layers == 0)
		take_end(&k->head, &s);
	add_sums(&ends, &s, 1);
	k->ends = grounds_of(&ends);
}

double
operators_optimizer(const struct operator_table *t, double dense, double routed, double shard, double replicas)
{
	double all = dense + routed, bytes = all * (4 + 4 + (replicas > 1 ? 8 : 0)) + shard * (4 + 8 + 28 + 6);
	double rate = operator_table_rate(t, "optimizer", OPERATOR_FORWARD, bytes);

	return rate > 0 ? bytes / (rate * GIGA) : -1;
}

/* Return whether the operator is not measured. If so, set *GAP. */
static bool
missing(const struct operator_pricing *p, const struct listed_operator *o, struct operator_gap *gap)
{
	enum measured_source source;
	enum error_class class;

	if (o->group >= 0)
		return false;
	if (o->of != NULL) {
		if (!(o->bytes > 0) || operator_table_rate(p->table, o->of, o->backward, o->bytes) > 0)
			return false;
		*gap = (struct operator_gap){ .question.op = OPERATOR_BYTES, .time = bytes_time(p, o),
			.error = BYTES_ERROR };
		GIVE(device_operator, &gap->question, of, (char *)o->of);
		GIVE(device_operator, &gap->question, bytes, o->bytes);
		GIVE(device_operator, &gap->question, phase, o->backward ? OPERATOR_BACKWARD : OPERATOR_FORWARD);
		return true;
	}
	gap->time = o->times * keyed_time(p, &o->key, &source, &class);
	if (source == SOURCE_MEASURED)
		return false;
	gap->question = operator_question(&o->key);
	gap->error = class_error[class];
	return true;
}

void
operators_missing(const struct operator_table *t, const struct architecture *n, const struct cluster *c,
    const struct division *d, double imbalance, struct operator_gap **gaps, size_t *count)
{
	struct listed_operator at[LISTED_MOST];
	int classes = n->classes.n, layers[CLASSES_MOST];

	architecture_counts(n, layers);
	/* The indices after the layer classes are the embedding and the head. */
	for (int i = 0; i < classes + 2; i++) {
		const struct architecture *class = i < classes ? architecture_class(n, i) : n;
		struct layer_sizes of = layer_sizes(class, d, imbalance);
		struct operator_pricing p = { t, NULL, c, d, class };
		int listed = 0;

		if (i >= classes)
			listed = i == classes ? operator_list_embedding(&of, d, at) : operator_list_head(&of, d, at);
		else if (layers[i] > 0 && operator_list_lacks(class) == NULL)
			listed = operator_list_layer(&of, d, at);
		for (int j = 0; j < listed; j++) {
			struct operator_gap gap;

			if (!missing(&p, &at[j], &gap))
				continue;
			gap.class = i < classes ? i : -1;
			*APPEND(*gaps, *count) = gap;
		}
	}
}
