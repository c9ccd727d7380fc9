#include "shape.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/alloc.h"

enum { LAYERS_EACH = 2, MICRO_BATCHES = 4 };

struct shapes
shape_of(const struct configuration *c, const struct architecture *n)
{
	bool experts = n->experts > 0;

	return (struct shapes){ .tp = c->tp, .cp = c->cp, .etp = experts ? c->etp : 1, .mbs = c->mbs,
		.seq = n->seq_length, .experts = experts ? (double)n->experts / c->ep : 0, .sp = c->tp > 1 && c->sp,
		.sharded = c->zero >= 3, .ulysses = c->cp > 1 && c->cp_kind == CONTEXT_ULYSSES,
		.ep = experts && c->ep > 1, .fused = c->fused };
}

bool
shape_same(const struct shapes *a, const struct shapes *b)
{
	return a->tp == b->tp && a->cp == b->cp && a->etp == b->etp && a->mbs == b->mbs && a->seq == b->seq &&
	    a->experts == b->experts && a->sp == b->sp && a->sharded == b->sharded && a->ulysses == b->ulysses &&
	    a->ep == b->ep && a->fused == b->fused;
}

char *
shape_name(const struct shapes *s)
{
	char *experts = s->experts > 0 ? xasprintf("_EXPERTS%.15g", s->experts) : xstrdup("");
	char *cp = s->cp > 1 ? xasprintf("_CP%d%s", s->cp, s->ulysses ? "_ULYSSES" : "") : xstrdup("");
	char *etp = s->etp > 1 ? xasprintf("_ETP%d", s->etp) : xstrdup("");
	char *name = xasprintf("TP%d%s%s%s_MBS%d_SEQ%d%s%s%s%s", s->tp, cp, etp, experts, s->mbs, s->seq,
	    s->tp > 1 && !s->sp ? "_NOSP" : "", s->sharded ? "_ZERO3" : "", s->fused & FUSED_MC2 ? "_MC2" : "",
	    s->fused & FUSED_PERMUTE ? "_PERMUTE" : "");

	free(experts);
	free(cp);
	free(etp);
	return name;
}

struct architecture
shape_network(const struct training_run *r, const struct architecture *n)
{
	struct architecture a = architecture_like(n);

#define TAKE(member) if (GIVEN(training_run, r, member)) a.member = r->member
	if (n->pattern.n == 0)
		TAKE(layers);
	TAKE(seq_length);
	TAKE(experts);
	TAKE(num_heads);
	TAKE(kv_heads);
	TAKE(ffn_size);
	TAKE(expert_ffn_size);
	TAKE(vocab_size);
#undef TAKE
	architecture_classes(&a, (struct place){ .source = r->of.name });
	return a;
}

/* Experts span the devices of several replicas. The number of replicas must fill such groups. */
int
shape_replicas(const struct configuration *c, int devices)
{
	int each = c->tp * c->cp, most = devices / (each * c->pp);

	while (most > 0 && (most * each) % (c->ep * c->etp) != 0)
		most--;
	return most;
}

int
shape_layers(const struct architecture *n, int stages)
{
	int each = n->experts > 0 ? n->dense_layers + LAYERS_EACH * n->moe_every : LAYERS_EACH;

	if (n->experts > 0 && n->dense_layers == 0 && n->moe_every == 1)
		each = LAYERS_EACH;
	if (each < LAYERS_EACH * stages)
		each = LAYERS_EACH * stages;
	each = (each + stages - 1) / stages * stages;
	return n->pattern.n > 0 || each >= n->layers ? 0 : each;
}

/* Halve ep and the number of experts. Return false if impossible. */
static bool
halve_experts(struct configuration *c, struct architecture *n)
{
	if (c->ep <= 2 || c->ep % 2 != 0 || n->experts % 2 != 0 || n->experts / 2 < 2 * n->experts_per_token)
		return false;
	c->ep /= 2;
	n->experts /= 2;
	return true;
}

static bool
halve_sequence(struct configuration *c, struct architecture *n)
{
	if (c->cp <= 2 || c->cp % 2 != 0 || n->seq_length % 2 != 0)
		return false;
	/* In Ulysses attention cp divides heads also, so it cannot be halved alone. */
	if (c->cp_kind == CONTEXT_ULYSSES)
		return false;
	c->cp /= 2;
	n->seq_length /= 2;
	return true;
}

/*
 * Halve tp and all that it divides, but not the width that norms and products read. With sequence parallelism tp
 * divides the rows of norms. Return false if impossible.
 */
static bool
halve_heads(struct configuration *c, struct architecture *n)
{
	bool split_experts = n->experts > 0 && c->etp > 1;

	if (c->tp <= 2 || c->tp % 2 != 0 || c->sp || n->num_heads % 2 != 0 || n->kv_heads % c->tp != 0 ||
	    n->ffn_size % 2 != 0 || n->vocab_size % 2 != 0 || n->pattern.n > 0 || n->up != NULL || n->down != NULL ||
	    (n->shared_ffn_size > 0 && n->shared_split) ||
	    (split_experts && (c->etp % 2 != 0 || n->expert_ffn_size % 2 != 0)))
		return false;
	c->tp /= 2;
	n->num_heads /= 2;
	n->kv_heads /= 2;
	n->ffn_size /= 2;
	n->vocab_size /= 2;
	if (split_experts) {
		c->etp /= 2;
		n->expert_ffn_size /= 2;
	}
	return true;
}

static char *
too_few(const struct configuration *c, const struct configuration *asked, const struct architecture *n, int devices)
{
	int groups = c->ep * c->etp, each = c->tp * c->cp;
	const char *tp = c->tp <= 2 ? "tp 2 is the smallest tp above 1" : c->sp ?
	    "with sequence parallelism tp divides the rows of norms" : "";
	char *heads = *tp == '\0' ? xasprintf("%d heads, %d kv heads and ffn %d over tp %d", n->num_heads, n->kv_heads,
	    n->ffn_size, c->tp) : xstrdup(tp);
	char *experts = n->experts > 0 ? xasprintf("; ep %d has %d of %d experts, %d per token", c->ep,
	    n->experts / c->ep, n->experts, n->experts_per_token) : xstrdup("");
	char *why = xasprintf("tp %d, cp %d, ep %d on %d devices: at least %d are needed: cp %d leaves %d tokens of a "
	    "sequence; %s%s",
	    asked->tp, asked->cp, asked->ep, devices, groups > each ? (groups + each - 1) / each * each : each, c->cp,
	    n->seq_length / c->cp, heads, experts);

	free(heads);
	free(experts);
	return why;
}

/* Set the sizes of the run in which NOW differs from N. */
static void
give_network(struct training_run *r, const struct architecture *now, const struct architecture *n)
{
	int layers = shape_layers(n, r->of.pp);

	GIVE(training_run, r, seq_length, now->seq_length);
	if (layers > 0)
		GIVE(training_run, r, layers, layers);
	if (n->experts > 0)
		GIVE(training_run, r, experts, now->experts);
#define TELL(member) if (now->member != n->member) GIVE(training_run, r, member, now->member)
	TELL(num_heads);
	TELL(kv_heads);
	TELL(ffn_size);
	TELL(expert_ffn_size);
	TELL(vocab_size);
#undef TELL
}

bool
shape_run(struct training_run *r, const struct configuration *c, const struct architecture *n, int devices, char **why)
{
	struct configuration *to = &r->of;
	struct architecture now = *n;

	*r = (struct training_run){ .of = *c };
	*to = *c;
	to->name = to->origin = to->reject = to->why = NULL;
	to->stage_layers = (struct grid){ 0 };
	to->pp = to->vp = 1;
	to->schedule = ORDER_NONE;
	to->micro_batches = MICRO_BATCHES;
	to->tail_even = false;
	if (n->experts == 0)
		to->ep = to->etp = 1;
	while ((to->dp = shape_replicas(to, devices)) == 0)
		if (!halve_experts(to, &now) && !halve_sequence(to, &now) && !halve_heads(to, &now)) {
			*why = too_few(to, c, &now, devices);
			return false;
		}
	to->shard = to->zero == 0 ? 1 : to->dp * to->cp;
	give_network(r, &now, n);
	return true;
}
