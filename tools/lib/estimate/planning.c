#include "planning.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/cost/in_flight.h"
#include "lib/record/record.h"

#define MEGA 1048576.0
#define MILLI 1e3

struct asking {
	FILE *out;
	const struct architecture *net;
	const struct cluster *cluster;
	const struct configuration *c;
	const struct appraisal *a;
	const char *name;
	bool tower_first;	/* layers that precede a language model become HEAD layers */
	char *modules;		/* name of the kind that recomputes the candidate's modules; NULL: none */
};

static void
put_layer(const struct asking *q, struct layer *l)
{
	GIVE(layer, l, model_name, (char *)q->name);
	record_put(q->out, RECORD_LAYER, l);
}

static double
state(const struct asking *q, struct parameters p)
{
	return stage_memory_state(q->net, q->c, p) / MEGA;
}

static void
put_head(const struct asking *q)
{
	static char name[] = "head";
	struct layer l = { .name = name, .type = LAYER_HEAD, .nb_layer = 1 };

	if (pieces_alone(q->c, q->net->layers))
		GIVE(layer, &l, bound, false);
	GIVE(layer, &l, time, MILLI * q->a->costs->embedding.forward);
	GIVE(layer, &l, backward[RECOMPUTE_NONE], MILLI * q->a->costs->embedding.backward);
	GIVE(layer, &l, memory_parameter, state(q, parameters_embedding(q->net, &q->a->parameters)));
	put_layer(q, &l);
}

static void
put_kind(struct layer *l, enum recompute kind, double backward, double memory)
{
	GIVE(layer, l, backward[kind], MILLI * backward);
	GIVE(layer, l, memory[kind], memory / MEGA);
}

/* Add figures for the kind that recomputes the candidate's modules. */
static void
put_modules(const struct asking *q, struct layer *l, const struct layer_cost *cost)
{
	struct kind_figures *k = array_add(&kind_figures_fields, &l->kinds);

	k->name = q->modules;
	GIVE(kind_figures, k, activation, cost->memory[KEEP_MODULES] / MEGA);
	GIVE(kind_figures, k, backward_time, MILLI * (cost->backward + cost->again[KEEP_MODULES]));
	field_give(&layer_fields, l, offsetof(struct layer, kinds));
}

/* Write a kind record with the frameworks' names of these modules. Each question of a stream needs its own. */
static void
put_names(const struct asking *q)
{
	struct operators o = { .name = q->modules };
	int bits = configuration_modules(q->c);

	for (int i = 0; module_names[i] != NULL; i++)
		if (bits >> i & 1)
			texts_add(&o.recompute_modules, module_names[i]);
	field_give(&operators_fields, &o, offsetof(struct operators, recompute_modules));
	record_put(q->out, RECORD_KIND, &o);
	texts_free(&o.recompute_modules);
}

/* Write the layers that precede a language model. They are on the stage with its embedding. */
static void
put_in_front(const struct asking *q, struct layer *l, const struct layer_cost *cost)
{
	l->type = LAYER_HEAD;
	if (pieces_alone(q->c, q->net->layers))
		GIVE(layer, l, bound, false);
	GIVE(layer, l, backward[RECOMPUTE_NONE], MILLI * cost->backward);
	put_layer(q, l);
}

/* Write COUNT layers of a class. FIRST: index of the first of them, which the record's name contains. */
static void
put_body(const struct asking *q, int kind, int first, int count)
{
	const struct layer_cost *cost = &q->a->costs->layer[kind];
	struct layer l = { .name = xasprintf("%s%d", architecture_class(q->net, kind)->name, first), .type = LAYER_BODY,
	    .nb_layer = count };

	GIVE(layer, &l, time, MILLI * cost->forward);
	GIVE(layer, &l, memory_parameter, state(q, q->a->parameters.layer[kind]));
	if (architecture_class(q->net, kind)->frozen)
		GIVE(layer, &l, weight_time, MILLI * fmin(cost->weight, cost->backward));
	if (q->tower_first && architecture_in_front(q->net, kind)) {
		put_in_front(q, &l, cost);
		free(l.name);
		return;
	}
	put_kind(&l, RECOMPUTE_NONE, cost->backward, cost->memory[KEEP_ALL]);
	put_kind(&l, RECOMPUTE_SELECT, cost->backward + cost->again[KEEP_SELECT], cost->memory[KEEP_SELECT]);
	put_kind(&l, RECOMPUTE_FULL, cost->backward + cost->again[KEEP_FULL], cost->memory[KEEP_FULL]);
	if (q->modules != NULL)
		put_modules(q, &l, cost);
	put_layer(q, &l);
	free(l.kinds.at);
	free(l.name);
}

/* Write one record for each run of equal layers, since the layers of one record must be adjacent. */
static void
put_bodies(const struct asking *q)
{
	for (int first = 0, l = 1; l <= q->net->layers; l++)
		if (l == q->net->layers || architecture_class_of(q->net, l) != architecture_class_of(q->net, first)) {
			put_body(q, architecture_class_of(q->net, first), first, l - first);
			first = l;
		}
}

static void
put_tail(const struct asking *q, double work)
{
	static char name[] = "tail";
	const struct device_parameters *p = &q->a->parameters;
	const struct costs *k = q->a->costs;
	struct layer l = { .name = name, .type = LAYER_TAIL, .nb_layer = 1 };

	if (pieces_alone(q->c, q->net->layers))
		GIVE(layer, &l, bound, false);
	GIVE(layer, &l, time, MILLI * k->head.forward);
	GIVE(layer, &l, backward[RECOMPUTE_NONE], MILLI * k->head.backward);
	if (q->net->frozen && !q->net->trained_head)
		GIVE(layer, &l, weight_time, 0);
	GIVE(layer, &l, memory_parameter, state(q, parameters_tail(q->net, p)));
	GIVE(layer, &l, memory_transient, (k->head_memory + fmax(0, k->logits + k->gathered - work)) / MEGA);
	put_layer(q, &l);
}

static void
put_pipeline(const struct asking *q)
{
	struct pipeline p = { .stages = q->c->pp, .micro_batches = q->c->micro_batches, .interleave = q->c->vp,
		.schedule = (int)order_schedules[q->c->schedule], .memory_limit = list_new(1) };

	if (pieces_alone(q->c, q->net->layers))
		GIVE(pipeline, &p, empty, true);
	/* Without a limit of memory, any plan fits. */
	p.memory_limit.at[0] = q->cluster->memory_limit > 0 ? q->cluster->memory_limit : 1e9;
	GIVE(pipeline, &p, comm_time, list_new(1));
	p.comm_time.at[0] = MILLI * (1 - q->cluster->overlap.pp) * q->a->transfer;
	record_put(q->out, RECORD_PIPELINE, &p);
	free(p.comm_time.at);
	free(p.memory_limit.at);
}

void
planning_write(FILE *out, struct estimator *e, const struct architecture *n, const struct cluster *l,
    const struct configuration *c, const char *name, bool tower_first)
{
	struct appraisal a = estimate_fully(e, c);
	struct asking q = { out, n, l, c, &a, name, tower_first, configuration_modules_name(c) };
	int count[CLASSES_MOST];
	double work = stage_memory_work(a.costs, n, architecture_counts(n, count), a.brief.recompute), shared = 0;
	struct model m = { .name = (char *)name };
	struct list outside = list_new(1);

	/* Parameters that layers share are on each stage with such layers once. Assume all stages have some. */
	for (int k = 0; k < n->classes.n; k++)
		if (parameters_shares(n, count, k))
			shared += state(&q, parameters_shared(architecture_class(n, k), a.parameters.shared[k]));
	/* Memory that a device needs beyond allocations. It is computed for a device whose memory is full. */
	GIVE(model, &m, stage_const_mem, shared + l->memory_limit * (1 - 1 / a.room) +
	    (a.reserve + a.gather + work + a.more + stage_memory_held(a.costs, n, c, count)) / MEGA);
	outside.at[0] = MILLI * (a.part[STEP_DP] + a.part[STEP_OPTIMIZER]);
	GIVE(model, &m, overhead, outside);
	record_put(out, RECORD_MODEL, &m);
	free(outside.at);
	if (q.modules != NULL)
		put_names(&q);
	put_head(&q);
	put_bodies(&q);
	put_tail(&q, work);
	put_pipeline(&q);
	free(q.modules);
}
