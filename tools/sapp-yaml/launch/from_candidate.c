/* A candidate as arguments of Megatron-LM. */
#include <stdlib.h>

#include "arguments.h"
#include "lib/base/alloc.h"
#include "lib/base/memstream.h"

static void
number(struct launch *l, enum launch_option o, int n)
{
	launch_set(l, o, xasprintf("%d", n));
}

static void
experts_of(struct launch *l, const struct configuration *c)
{
	number(l, LAUNCH_EXPERT, c->ep);
	number(l, LAUNCH_EXPERT_TENSOR, c->etp);
	if (GIVEN(configuration, c, dispatcher) && c->dispatcher != DISPATCHER_UNSAID)
		launch_set(l, LAUNCH_DISPATCHER, xstrdup(dispatcher_names[c->dispatcher]));
	if (GIVEN(configuration, c, dispatcher) && c->dispatcher == DISPATCHER_FLEX)
		launch_set(l, LAUNCH_DEEPEP, xstrdup(""));
	if (c->ep_overlap)
		launch_set(l, LAUNCH_OVERLAP, xstrdup(""));
}

static void
graph_of(struct launch *l, const struct configuration *c)
{
	char *scope = NULL;
	size_t size;
	FILE *f;

	if (!GIVEN(configuration, c, graph) || c->graph == GRAPH_NONE)
		return;
	launch_set(l, LAUNCH_GRAPH, xstrdup(c->graph == GRAPH_FULL ? "local" : "transformer_engine"));
	if (c->graph == GRAPH_PART && c->graph_scope == 0)
		return;
	f = memstream_open(&scope, &size);
	if (c->graph == GRAPH_FULL)
		fputs("full_iteration", f);
	for (int i = 0, n = 0; c->graph == GRAPH_PART && graph_scope_names[i] != NULL; i++)
		if (c->graph_scope >> i & 1)
			fprintf(f, "%s%s", n++ > 0 ? " " : "", graph_scope_names[i]);
	memstream_close(f);
	launch_set(l, LAUNCH_GRAPH_SCOPE, scope);
}

void
launch_add_candidate(struct launch *l, const struct configuration *c, bool experts, struct place at)
{
	char *not;

	if (c->zero > 1)
		place_die(at, "candidate: zero: arguments of Megatron-LM have 0 or 1, not '%d'", c->zero);
	number(l, LAUNCH_TENSOR, c->tp);
	number(l, LAUNCH_CONTEXT, c->cp);
	if (c->cp > 1 && c->cp_kind == CONTEXT_ULYSSES)
		launch_set(l, LAUNCH_CONTEXT_KIND, xstrdup("a2a"));
	if (experts)
		experts_of(l, c);
	graph_of(l, c);
	not = configuration_fused_not(c, experts);
	if (not != NULL)
		place_die(at, "candidate: fused: %s", not);
	if (c->fused & FUSED_MC2)
		launch_set(l, LAUNCH_MC2, xstrdup(""));
	if (c->fused & FUSED_PERMUTE)
		launch_set(l, LAUNCH_PERMUTE, xstrdup(""));
	number(l, LAUNCH_MICRO_BATCH, c->mbs);
	launch_set(l, LAUNCH_GLOBAL_BATCH, xasprintf("%ld", (long)c->micro_batches * c->mbs * c->dp));
	if (c->sp && c->tp > 1)
		launch_set(l, LAUNCH_SEQUENCE, xstrdup(""));
	if (c->zero > 0)
		launch_set(l, LAUNCH_OPTIMIZER, xstrdup(""));
}
