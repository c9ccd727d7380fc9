#include "variant.h"

#include "lib/base/alloc.h"

static const size_t members[] = { offsetof(struct configuration, dispatcher),
	offsetof(struct configuration, ep_overlap), offsetof(struct configuration, graph),
	offsetof(struct configuration, graph_scope), offsetof(struct configuration, attention8),
	offsetof(struct configuration, compute),
	offsetof(struct configuration, store), offsetof(struct configuration, fused),
	offsetof(struct configuration, optimizer), offsetof(struct configuration, optimizer_host) };

void
variant_apply(struct configuration *to, const struct configuration *from)
{
	to->recompute = from->recompute;
	to->dispatcher = from->dispatcher;
	to->ep_overlap = from->ep_overlap;
	to->graph = from->graph;
	to->graph_scope = from->graph_scope;
	to->fused = from->fused;
	to->compute = from->compute;
	to->attention8 = from->attention8;
	to->tail_even = from->tail_even;
	to->alone = from->alone;
	to->store = from->store;
	to->optimizer = from->optimizer;
	to->optimizer_host = from->optimizer_host;
	to->given = from->given;
}

void
variants_take(struct variants *v, const struct configuration *c)
{
	v->based = true;
	variant_apply(&v->base, c);
	v->base.given = 0;
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		if (field_given(&configuration_fields, c, members[i]))
			field_give(&configuration_fields, &v->base, members[i]);
	/* If no modules are given, the plan determines recomputation. */
	if (configuration_modules(c) != 0)
		field_give(&configuration_fields, &v->base, offsetof(struct configuration, recompute));
	else
		v->base.recompute = configuration_plain.recompute;
}

/*
 * The configurations while members are varied. For the next member, its first value is set in all N configurations.
 * Each further value is set in an appended copy of these N.
 */
struct building {
	int n, from;		/* from: number of configurations before the current member was varied */
	bool any;		/* whether the first value of the current member was set */
	struct configuration *at;
};

static void
begin(struct building *b)
{
	b->from = b->n;
	b->any = false;
}

/* Return the b->from configurations that get the member's next value. */
static struct configuration *
next(struct building *b)
{
	struct configuration *at;

	if (!b->any) {
		b->any = true;
		return b->at;
	}
	b->at = xreallocarray(b->at, (size_t)(b->n + b->from), sizeof *b->at);
	at = b->at + b->n;
	for (int i = 0; i < b->from; i++)
		at[i] = b->at[i];
	b->n += b->from;
	return at;
}

bool
variants_compute(const struct variants *v)
{
	bool any = false;

	for (int k = 0; k < NUMBER_TYPES; k++)
		any |= v->compute[k];
	return any;
}

struct configuration *
variants_list(const struct variants *v, int *n)
{
	struct building b = { .n = 1, .at = xcalloc(1, sizeof *b.at) };

	b.at[0] = v->based ? v->base : configuration_plain;
	if (v->tail_even)
		GIVE(configuration, &b.at[0], tail_even, true);
	if (v->alone)
		GIVE(configuration, &b.at[0], alone, true);
#define EACH(count, is, member, value) begin(&b); \
	for (int k = 0; k < (count); k++) \
		if (is) { \
			struct configuration *at = next(&b); \
			for (int i = 0; i < b.from; i++) \
				GIVE(configuration, &at[i], member, value); \
		}
	EACH(2, v->dispatcher[k], dispatcher, k)
	EACH(2, v->ep_overlap[k], ep_overlap, k == 1)
	EACH(3, v->graph[k], graph, k)
	EACH(FUSED_SETS, v->fused[k], fused, k)
	EACH(OPTIMIZER_UNSAID, v->optimizer[k], optimizer, k)
	EACH(v->host.n, true, optimizer_host, v->host.at[k])
	EACH(NUMBER_TYPES, v->compute[k], compute, k)
	EACH(v->nmodules, true, recompute, v->modules[k] == 0 ? KEEP_FIRST : FIELD_IS_SET | v->modules[k])
#undef EACH
	for (int i = 0; i < b.n; i++) {
		if (variants_compute(v))
			configuration_set_compute(&b.at[i], b.at[i].compute);
		/* With ep_overlap the dispatcher must be known. */
		if ((v->ep_overlap[0] || v->ep_overlap[1]) && b.at[i].dispatcher == DISPATCHER_UNSAID)
			GIVE(configuration, &b.at[i], dispatcher, DISPATCHER_ALLTOALL);
		if (b.at[i].recompute == KEEP_FIRST)	/* a record cannot express this value */
			FORGET(configuration, &b.at[i], recompute);
		/* otherwise the record must state that none are fused, unlike in the base */
		if (b.at[i].fused == 0 && v->base.fused == 0)
			FORGET(configuration, &b.at[i], fused);
		if (b.at[i].graph != GRAPH_PART)
			b.at[i].graph_scope = 0;
		else if (b.at[i].graph_scope == 0)
			GIVE(configuration, &b.at[i], graph_scope,
			    SCOPE_ATTN | SCOPE_MOE_ROUTER | SCOPE_MOE_PREPROCESS);
	}
	*n = b.n;
	return b.at;
}
