/* From candidate: a candidate as arguments of Megatron-LM. */
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/base/memstream.h"
#include "arguments.h"

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

/* Set the 8-bit and 4-bit formats, from the number of bytes kept per number, with scales. */
static void
precision_of(struct launch *l, const struct configuration *c, struct place at)
{
	const struct { double store; enum launch_option option; const char *format; } known[] = {
		{ 1.03125, LAUNCH_FP8, "hybrid" }, { 0.5625, LAUNCH_FP4, "e2m1" },
	};
	bool said = c->store == configuration_plain.store;

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (c->store == known[i].store) {
			launch_set(l, known[i].option, xstrdup(known[i].format));
			said = true;
		}
	if (GIVEN(configuration, c, compute) && (c->compute == TYPE_MXFP8 || c->compute == TYPE_FP8_BLOCK))
		launch_set(l, LAUNCH_FP8_RECIPE, xstrdup(c->compute == TYPE_MXFP8 ? "mxfp8" : "blockwise"));
	if (!said)
		place_die(at, "candidate: store: arguments allow 2 (16 bits), 1.03125 (8 bits) or 0.5625 (4 bits), not "
		    "'%g'",
		    c->store);
	if (c->attention8)
		launch_set(l, LAUNCH_FP8_ATTENTION, xstrdup(""));
}

/*
 * Set the type of the moments, and the fraction on the host, which Megatron-LM supports only with a distributed
 * optimizer.
 */
static void
states_of(struct launch *l, const struct configuration *c, struct place at)
{
	bool host = c->optimizer_host > 0, narrow = c->optimizer == OPTIMIZER_ADAM16;

	if (c->optimizer == OPTIMIZER_SGD)
		launch_set(l, LAUNCH_OPTIMIZER_KIND, xstrdup("sgd"));
	if (c->zero == 0 && (host || narrow))
		place_die(at, "candidate: %s: Megatron-LM needs a distributed optimizer for it, not zero '0'",
		    host ? "optimizer_host" : "optimizer");
	if (host || narrow)
		launch_set(l, LAUNCH_AWARE, xstrdup(""));
	if (narrow) {
		launch_set(l, LAUNCH_MOMENT, xstrdup("bf16"));
		launch_set(l, LAUNCH_SQUARE, xstrdup("bf16"));
	}
	if (host) {
		launch_set(l, LAUNCH_HOST, xstrdup(""));
		launch_set(l, LAUNCH_HOST_FRACTION, xasprintf("%g", c->optimizer_host));
	}
}

/* Set an optimizer that is divided over some replicas: one optimizer for each group of such replicas. */
static void
optimizer_of(struct launch *l, const struct configuration *c, struct place at)
{
	int optimizers = c->dp * c->cp / c->shard;

	if (c->zero > 1)
		place_die(at, "candidate: zero: arguments of Megatron-LM allow 0 or 1, not '%d'", c->zero);
	if (c->zero == 0)
		return;
	launch_set(l, LAUNCH_OPTIMIZER, xstrdup(""));
	if (optimizers > 1)
		number(l, LAUNCH_OPTIMIZERS, optimizers);
}

/* Set the attention over a divided sequence, under the name that the target uses. */
static void
context_of(struct launch *l, const struct configuration *c, enum target target)
{
	bool exchanged = c->cp_kind == CONTEXT_ULYSSES;

	if (c->cp > 1 && target == TARGET_MINDSPEED)
		launch_set(l, LAUNCH_CONTEXT_ALGORITHM, xstrdup(exchanged ? "ulysses_cp_algo" : "megatron_cp_algo"));
	else if (c->cp > 1 && exchanged)
		launch_set(l, LAUNCH_CONTEXT_KIND, xstrdup("a2a"));
}

/* Exit if the candidate has settings for which the target has no known name. */
static void
check_said(const struct launch *l, const struct configuration *c, const struct candidate_words *w, struct place at)
{
	const char *title = w->dialect == LAUNCH_NEMO ? "NeMo" : target_titles[w->target];
	const char *what = w->target == TARGET_MINDSPEED && c->graph != GRAPH_NONE ? "graph" :
	    w->target == TARGET_MINDSPEED && c->dispatcher == DISPATCHER_FLEX && w->experts ? "dispatcher" :
	    w->target == TARGET_MINDSPEED && c->ep_overlap && w->experts ? "ep_overlap" :
	    w->target == TARGET_MINDSPEED && l->value[LAUNCH_AWARE] != NULL ? "optimizer" :
	    w->dialect != LAUNCH_ARGUMENTS && c->fused & FUSED_MC2 ? "fused" : NULL;

	if (what != NULL)
		place_die(at, "candidate: %s: %s has no argument for it", what, title);
	for (int o = 0; o < LAUNCH_OPTIONS; o++)
		if (l->value[o] != NULL && !launch_said_in((enum launch_option)o, w->dialect))
			place_die(at, "candidate: %s: %s has no argument for it", launch_name((enum launch_option)o),
			    title);
}

void
launch_add_candidate(struct launch *l, const struct configuration *c, const struct candidate_words *w, struct place at)
{
	char *not = configuration_fused_not(c, w->experts);

	if (not != NULL)
		place_die(at, "candidate: fused: %s", not);
	number(l, LAUNCH_TENSOR, c->tp);
	number(l, LAUNCH_CONTEXT, c->cp);
	context_of(l, c, w->target);
	if (w->experts)
		experts_of(l, c);
	graph_of(l, c);
	if (c->fused & FUSED_MC2)
		launch_set(l, LAUNCH_MC2, xstrdup(""));
	if (c->fused & FUSED_PERMUTE)
		launch_set(l, LAUNCH_PERMUTE, xstrdup(""));
	number(l, LAUNCH_MICRO_BATCH, c->mbs);
	launch_set(l, LAUNCH_GLOBAL_BATCH, xasprintf("%ld", (long)c->micro_batches * c->mbs * c->dp));
	if (c->sp && c->tp > 1)
		launch_set(l, LAUNCH_SEQUENCE, xstrdup(""));
	optimizer_of(l, c, at);
	states_of(l, c, at);
	precision_of(l, c, at);
	check_said(l, c, w, at);
}

void
candidate_decide(bool decided[LAUNCH_OPTIONS], const bool has[LAUNCH_OPTIONS], const struct configuration *c,
    const struct configuration *now, bool experts)
{
	int etp = has[LAUNCH_EXPERT_TENSOR] ? now->etp : c->tp, fused = has[LAUNCH_MC2] * FUSED_MC2 +
	    (has[LAUNCH_PERMUTE] || has[LAUNCH_PERMUTE_SAME]) * FUSED_PERMUTE;
	const struct { enum launch_option from, to; bool is; } groups[] = {
		{ LAUNCH_CONTEXT_KIND, LAUNCH_CONTEXT_KIND, c->cp > 1 && now->cp_kind != c->cp_kind },
		{ LAUNCH_CONTEXT_ALGORITHM, LAUNCH_CONTEXT_ALGORITHM, c->cp > 1 && now->cp_kind != c->cp_kind },
		{ LAUNCH_EXPERT, LAUNCH_EXPERT, experts && (has[LAUNCH_EXPERT] || c->ep > 1) },
		{ LAUNCH_EXPERT_TENSOR, LAUNCH_EXPERT_TENSOR, experts && etp != c->etp },
		{ LAUNCH_DISPATCHER, LAUNCH_FLEX, experts && GIVEN(configuration, c, dispatcher) &&
		    c->dispatcher != DISPATCHER_UNSAID &&
		    (!GIVEN(configuration, now, dispatcher) || now->dispatcher != c->dispatcher) },
		{ LAUNCH_OVERLAP, LAUNCH_OVERLAP, experts && GIVEN(configuration, c, ep_overlap) },
		{ LAUNCH_MC2, LAUNCH_PERMUTE_SAME, GIVEN(configuration, c, fused) && fused != c->fused },
		{ LAUNCH_GRAPH, LAUNCH_GRAPH_ENABLE, GIVEN(configuration, c, graph) && (now->graph != c->graph ||
		    (GIVEN(configuration, c, graph_scope) && now->graph_scope != c->graph_scope)) },
		{ LAUNCH_SEQUENCE, LAUNCH_SEQUENCE, GIVEN(configuration, c, sp) &&
		    (has[LAUNCH_SEQUENCE] && c->tp > 1) != c->sp },
		{ LAUNCH_OPTIMIZER, LAUNCH_OPTIMIZER, GIVEN(configuration, c, zero) &&
		    has[LAUNCH_OPTIMIZER] != (c->zero > 0) },
		{ LAUNCH_OPTIMIZERS, LAUNCH_OPTIMIZERS, (GIVEN(configuration, c, zero) ||
		    GIVEN(configuration, c, shard)) && (has[LAUNCH_OPTIMIZERS] || c->shard != c->dp * c->cp) },
		{ LAUNCH_OPTIMIZER_KIND, LAUNCH_SQUARE, GIVEN(configuration, c, optimizer) &&
		    (!GIVEN(configuration, now, optimizer) || now->optimizer != c->optimizer) },
		{ LAUNCH_AWARE, LAUNCH_AWARE, GIVEN(configuration, c, optimizer_host) && c->optimizer_host > 0 },
		{ LAUNCH_HOST, LAUNCH_HOST_FRACTION, GIVEN(configuration, c, optimizer_host) &&
		    now->optimizer_host != c->optimizer_host },
		{ LAUNCH_FP8, LAUNCH_FP4, (GIVEN(configuration, c, store) && now->store != c->store) ||
		    (GIVEN(configuration, c, compute) && configuration_compute(now) != c->compute) },
		{ LAUNCH_FP8_ATTENTION, LAUNCH_FP8_HEADS, GIVEN(configuration, c, attention8) &&
		    now->attention8 != c->attention8 },
	};

	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
		for (int o = groups[i].from; o <= (int)groups[i].to; o++)
			decided[o] |= groups[i].is;
}
