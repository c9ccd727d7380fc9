#include "rule.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "lib/cost/in_flight.h"

typedef bool rule_check(const struct space *, const struct configuration *, char **why);

/* Set *WHY to the rule with its figures. Return true. */
static bool __attribute__((format(printf, 2, 3)))
broken(char **why, const char *fmt, ...)
{
	va_list ap;

	if (why == NULL)
		return true;
	va_start(ap, fmt);
	*why = xvasprintf(fmt, ap);
	va_end(ap);
	return true;
}

#define RULE(name) static bool \
	name(const struct space *s __attribute__((unused)), const struct configuration *c, char **why)

RULE(tp_max)
{
	return s->node > 0 && c->tp > s->node ? broken(why, "tp %d is above %d", c->tp, s->node) : false;
}

RULE(tp_heads)
{
	return s->net->num_heads % c->tp != 0 ? broken(why, "%d heads over tp %d", s->net->num_heads, c->tp) : false;
}

/* Several devices may have copies of the same head of keys and values. */
RULE(tp_kv)
{
	int g = s->net->kv_heads;

	return !architecture_latent(s->net) && g % c->tp != 0 && c->tp % g != 0 ?
	    broken(why, "%d heads of keys and values over tp %d: neither divides the other", g, c->tp) : false;
}

RULE(tp_kv_whole)
{
	return !architecture_latent(s->net) && s->net->kv_heads % c->tp != 0 ?
	    broken(why, "%d heads of keys and values over tp %d", s->net->kv_heads, c->tp) : false;
}

RULE(tp_hidden)
{
	return s->net->hidden_size % c->tp != 0 ?
	    broken(why, "hidden size %d over tp %d", s->net->hidden_size, c->tp) : false;
}

RULE(tp_ffn)
{
	const struct architecture *n = s->net;

	if (architecture_moe_before(n, n->layers) < n->layers && n->ffn_size % c->tp != 0)
		return broken(why, "feed-forward size %d over tp %d", n->ffn_size, c->tp);
	return n->experts > 0 && n->shared_ffn_size % c->tp != 0 ?
	    broken(why, "size %d of the shared expert over tp %d", n->shared_ffn_size, c->tp) : false;
}

RULE(etp_ffn)
{
	return s->net->experts > 0 && s->net->expert_ffn_size % c->etp != 0 ?
	    broken(why, "experts of size %d over etp %d", s->net->expert_ffn_size, c->etp) : false;
}

/*
 * Check that each device that shares a sequence has its own heads. COPIED: devices may have copies of heads of keys and
 * values.
 */
static bool
heads_broken(const struct space *s, const struct configuration *c, bool copied, char **why)
{
	int parts = c->tp * c->cp, g = s->net->kv_heads;

	if (c->cp == 1 || c->cp_kind != CONTEXT_ULYSSES)
		return false;
	if (s->net->num_heads % parts != 0)
		return broken(why, "%d heads over tp %d times cp %d", s->net->num_heads, c->tp, c->cp);
	return !copied && !architecture_latent(s->net) && (g > c->tp ? g / c->tp : 1) % c->cp != 0 ?
	    broken(why, "%d heads of keys and values over tp %d times cp %d", g, c->tp, c->cp) : false;
}

RULE(cp_heads)
{
	return heads_broken(s, c, false, why);
}

RULE(cp_heads_copied)
{
	return heads_broken(s, c, true, why);
}

/* With causal attention each device has two parts of the sequence, one from either end. */
RULE(cp_seq)
{
	bool ends = s->net->causal && (s->framework == MEGATRON || c->cp_kind == CONTEXT_RING);
	int pieces = ends ? 2 * c->cp : c->cp;

	return c->cp > 1 && s->net->seq_length % pieces != 0 ?
	    broken(why, "%d tokens over cp %d, which takes %d pieces", s->net->seq_length, c->cp, pieces) : false;
}

RULE(sp_seq)
{
	return c->sp && s->net->seq_length % ((int64_t)c->cp * c->tp) != 0 ?
	    broken(why, "%d tokens over cp %d times tp %d", s->net->seq_length, c->cp, c->tp) : false;
}

RULE(ep_experts)
{
	return s->net->experts % c->ep != 0 ? broken(why, "%d experts over ep %d", s->net->experts, c->ep) : false;
}

RULE(ep_grid)
{
	int64_t grid = (int64_t)c->dp * c->cp * c->tp, unit = (int64_t)c->ep * c->etp;

	return grid % unit != 0 ?
	    broken(why, "dp %d times cp %d times tp %d over ep %d times etp %d", c->dp, c->cp, c->tp, c->ep, c->etp) :
	    false;
}

RULE(ep_grid_data)
{
	return (int64_t)c->dp * c->tp % ((int64_t)c->ep * c->etp) != 0 ?
	    broken(why, "dp %d times tp %d over ep %d times etp %d", c->dp, c->tp, c->ep, c->etp) : false;
}

RULE(batch)
{
	return s->batch % ((int64_t)c->dp * c->mbs) != 0 ?
	    broken(why, "%d sequences over dp %d times %d of a micro-batch", s->batch, c->dp, c->mbs) : false;
}

RULE(pp_layers)
{
	return pieces_alone(c, s->net->layers) ?
	    broken(why, "%d layers over pp %d times %d chunks", s->net->layers, c->pp, c->vp) : false;
}

/* Embedding and loss may be in pieces of their own. */
RULE(pp_layers_and_ends)
{
	return pieces_alone(c, s->net->layers + PIECES_ALONE) ?
	    broken(why, "%d layers, embedding and loss over pp %d times %d chunks", s->net->layers, c->pp, c->vp) :
	    false;
}

static bool
few_micro_batches(bool matters, const struct configuration *c, char **why)
{
	return matters && c->micro_batches < c->pp ?
	    broken(why, "%d micro-batches, fewer than the %d stages", c->micro_batches, c->pp) : false;
}

RULE(pp_batch)
{
	return few_micro_batches(c->vp > 1, c, why);
}

RULE(pp_batch_always)
{
	return few_micro_batches(c->pp > 1, c, why);
}

RULE(vp_batch)
{
	return c->vp > 1 && c->micro_batches % c->pp != 0 ?
	    broken(why, "%d micro-batches in groups of %d stages", c->micro_batches, c->pp) : false;
}

RULE(even)
{
	return s->even && s->net->layers % ((int64_t)c->pp * c->vp) != 0 ?
	    broken(why, "%d layers are not even over pp %d times %d chunks", s->net->layers, c->pp, c->vp) : false;
}

RULE(shard_dp)
{
	return c->zero >= 1 && c->dp % c->shard != 0 ? broken(why, "dp %d over optimizer shards of %d", c->dp,
	    c->shard) : false;
}

/* The experts' parameters must have the same number of shard groups as all other parameters. */
RULE(shard_ep)
{
	int64_t replicas = (int64_t)c->dp * c->cp, groups = replicas / c->shard;
	int64_t experts = replicas * c->tp / ((int64_t)c->ep * c->etp);

	return c->zero >= 1 && s->net->experts > 0 && experts % groups != 0 ?
	    broken(why, "%lld replicas of the experts over %lld groups of optimizer shards", (long long)experts,
	    (long long)groups) : false;
}

RULE(shard_ep_data)
{
	int64_t experts = (int64_t)c->dp * c->tp / ((int64_t)c->ep * c->etp);

	return c->zero >= 1 && c->ep > 1 && c->shard % (experts > 1 ? experts : 1) != 0 ?
	    broken(why, "optimizer shards of %d over %lld replicas of the experts", c->shard,
	    (long long)experts) : false;
}

RULE(zero_fsdp)
{
	if (c->zero < 2 || (c->pp == 1 && c->ep == 1 && !s->net->tied))
		return false;
	return broken(why, "zero %d excludes pp, ep and a tied embedding: pp %d, ep %d%s", c->zero,
	    c->pp, c->ep, s->net->tied ? ", tied" : "");
}

RULE(ep_overlap)
{
	if (!c->ep_overlap)
		return false;
	if (configuration_modules(c) & MODULE_MOE)
		return broken(why, "overlap of all-to-alls cannot recompute moe: ep %d, vp %d", c->ep, c->vp);
	if (c->ep > 1 && (c->pp == 1 || c->vp > 1))
		return false;
	return broken(why, "overlap of all-to-alls needs ep, and with pp also vp: ep %d, pp %d, vp %d",
	    c->ep, c->pp, c->vp);
}

RULE(flex_ep)
{
	if (c->dispatcher != DISPATCHER_FLEX || c->ep > 1 || c->etp > 1)
		return false;
	return broken(why, "the dispatcher flex needs experts on several devices: ep 1, etp 1");
}

RULE(fused)
{
	char *not = configuration_fused_not(c, s->net->experts > 0);
	bool is = not != NULL;

	if (why != NULL)
		*why = not;
	else
		free(not);
	return is;
}

static const struct {
	const char *name;
	rule_check *check[FRAMEWORKS];	/* NULL: the framework does not have the rule */
	bool inner;			/* depends on vp or mbs */
} rules[] = {
	{ "tp-max", { tp_max, tp_max }, false },
	{ "tp-heads", { tp_heads, tp_heads }, false },
	{ "tp-kv", { tp_kv, tp_kv_whole }, false },
	{ "tp-hidden", { NULL, tp_hidden }, false },
	{ "tp-ffn", { tp_ffn, tp_ffn }, false },
	{ "etp-ffn", { etp_ffn, etp_ffn }, false },
	{ "cp-heads", { cp_heads, cp_heads_copied }, false },
	{ "cp-seq", { cp_seq, cp_seq }, false },
	{ "sp-seq", { sp_seq, sp_seq }, false },
	{ "ep-experts", { ep_experts, ep_experts }, false },
	{ "ep-grid", { ep_grid, ep_grid_data }, false },
	{ "batch", { batch, batch }, true },
	{ "pp-layers", { pp_layers_and_ends, pp_layers }, true },
	{ "pp-batch", { pp_batch, pp_batch_always }, true },
	{ "vp-batch", { vp_batch, NULL }, true },
	{ "even", { even, even }, true },
	{ "shard-dp", { NULL, shard_dp }, false },
	{ "shard-ep", { shard_ep, shard_ep_data }, false },
	{ "zero-fsdp", { zero_fsdp, NULL }, false },
	{ "ep-overlap", { ep_overlap, ep_overlap }, true },
	{ "flex-ep", { flex_ep, flex_ep }, true },
	{ "fused", { fused, fused }, true },
};

int
rules_count(void)
{
	return sizeof rules / sizeof rules[0];
}

const char *
rule_name(int rule)
{
	return rules[rule].name;
}

bool
rule_is_inner(int rule)
{
	return rules[rule].inner;
}

bool
rule_broken(int rule, const struct space *s, const struct configuration *c, char **why)
{
	rule_check *check = rules[rule].check[s->framework];

	return check != NULL && check(s, c, why);
}
