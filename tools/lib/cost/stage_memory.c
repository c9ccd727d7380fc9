#include "stage_memory.h"

#include <math.h>

#include "in_flight.h"
#include "reduction.h"

struct parameters
stage_parameters(const struct architecture *n, const struct device_parameters *p, const struct stage_class *s)
{
	struct parameters all = { 0 };

	for (int k = 0; k < n->classes.n; k++) {
		all = parameters_sum(all, p->layer[k], s->layers[k]);
		if (parameters_shares(n, s->layers, k))
			all = parameters_sum(all, parameters_shared(architecture_class(n, k), p->shared[k]), 1);
	}
	if (s->first)
		all = parameters_sum(all, parameters_embedding(n, p), 1);
	return s->last ? parameters_sum(all, parameters_tail(n, p), 1) : all;
}

double
stage_memory_state(const struct architecture *n, const struct configuration *c, struct parameters p)
{
	struct shards s = shards_of(c);
	double weight = n->precision.weight, gradient = n->precision.gradient;
	double optimizer = configuration_states(c, n->precision.optimizer) * (1 - c->optimizer_host);
	double dense = (double)p.dense, routed = (double)p.routed, frozen = (double)p.frozen, bytes;
	/* Frozen weights have no master copy. */
	double still = fmin(weight, 2);

	bytes = frozen * (c->zero >= 3 ? still / s.dense + (c->pp > 1 ? still : 0) : still);
	bytes += dense * (weight / (c->zero >= 3 ? s.dense : 1) + gradient / (c->zero >= 2 ? s.dense : 1) +
	    optimizer / s.dense) +
	    routed * (weight / (c->zero >= 3 ? s.routed : 1) + gradient / (c->zero >= 2 ? s.routed : 1) +
	    optimizer / s.routed);
	/* Between micro-batches the whole weights and gradients stay in memory, in 16 bits. */
	if (c->zero == 3 && c->pp > 1)
		bytes += (2 + gradient) * (dense + routed);
	return bytes;
}

double
stage_memory_gathered(const struct architecture *n, const struct configuration *c, const struct device_parameters *p)
{
	double most = (double)p->largest;

	return (c->zero >= 2 ? n->precision.gradient * most : 0) + (c->zero == 3 ? 2 * 2 * most : 0);
}

double
stage_memory_work(const struct costs *k, const struct architecture *n, const int count[CLASSES_MOST], int recompute)
{
	double most = 0;

	for (int t = 0; t < n->classes.n; t++)
		if (count[t] > 0)
			most = fmax(most, k->layer[t].moment + k->layer[t].memory[KEEP_ALL] -
			    k->layer[t].memory[recompute]);
	return k->gathered + most;
}

double
stage_memory_held(const struct costs *k, const struct architecture *n, const struct configuration *c,
    const int layers[CLASSES_MOST])
{
	/* If parameters are gathered, a device has the gradient of its shard only, and no stand-ins. */
	return k->workspace + (c->zero >= 2 ? 0 : costs_stand_ins(k, n, layers));
}

double
stage_memory_peak(const struct stage_memory *m, const struct stage_class *s, int stage, int recompute,
    double part[MEMORY_PARTS])
{
	double work = stage_memory_work(m->costs, m->net, s->layers, recompute), kept = 0;
	double logits = m->costs->logits + m->costs->gathered;
	double held = stage_memory_held(m->costs, m->net, m->c, s->layers);

	for (int t = 0; t < m->net->classes.n; t++)
		if (s->layers[t] > 0)
			kept += s->layers[t] * m->costs->layer[t].memory[recompute];
	part[MEMORY_STATIC] = stage_memory_state(m->net, m->c, stage_parameters(m->net, m->parameters, s));
	part[MEMORY_ACTIVATION] = in_flight(m->c, stage, m->net->layers) * kept + (s->last ? m->costs->head_memory : 0);
	part[MEMORY_LOGITS] = 0;
	/* The embedding's backward is the last operation of its micro-batch. Its chunk keeps nothing by then. */
	if (s->first)
		work = fmax(work, (m->c->pp == 1 ? 2 : 1) * m->costs->lookup - kept / m->c->vp);
	if (s->last && logits >= work)
		part[MEMORY_LOGITS] = logits;
	else
		part[MEMORY_ACTIVATION] += work;
	part[MEMORY_RESERVE] = m->reserve + stage_memory_gathered(m->net, m->c, m->parameters) + held;
	return part[MEMORY_STATIC] + part[MEMORY_ACTIVATION] + part[MEMORY_LOGITS] + part[MEMORY_RESERVE];
}
