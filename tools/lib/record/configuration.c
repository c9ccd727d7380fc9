#include "configuration.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "lib/base/alloc.h"
#include "device_operator.h"

const char *const order_names[] = { "none", "1f1b", "interleaved", "gpipe", "interleaved-less", NULL };
const enum schedule_kind order_schedules[] = {
	[ORDER_NONE] = SCHEDULE_1F1B, [ORDER_1F1B] = SCHEDULE_1F1B, [ORDER_INTERLEAVED] = SCHEDULE_VPP,
	[ORDER_GPIPE] = SCHEDULE_GPIPE, [ORDER_INTERLEAVED_LESS] = SCHEDULE_VPP_LESS
};
const char *const context_names[] = { "ring", "ulysses", NULL };
const char *const recomputation_names[] = { "none", "select", "full", "core", "op", NULL };
const char *const module_names[] = { "core_attn", "mla_up_proj", "layernorm", "mlp", "moe_act", "moe", NULL };
const char *const dispatcher_names[] = { "alltoall", "flex", NULL };
const char *const graph_names[] = { "none", "part", "full", NULL };
const char *const graph_scope_names[] = { "attn", "moe_router", "moe_preprocess", NULL };
const char *const fused_names[] = { "mc2", "permute", NULL };
const char *const optimizer_names[] = { "adam", "adam16", "sgd", NULL };
const struct configuration configuration_plain = { .recompute = KEEP_FIRST, .dispatcher = DISPATCHER_UNSAID,
	.store = 2, .optimizer = OPTIMIZER_UNSAID };

static const struct field configuration_field[] = {
	OPTIONAL(configuration, name, ANY),
	OPTIONAL(configuration, origin, ANY),
	REQUIRED(configuration, dp, POSITIVE),
	REQUIRED(configuration, tp, POSITIVE),
	OPTIONAL(configuration, cp, POSITIVE),
	CHOICE(configuration, cp_kind, true, context_names),
	REQUIRED(configuration, pp, POSITIVE),
	OPTIONAL(configuration, ep, POSITIVE),
	OPTIONAL(configuration, etp, POSITIVE),
	OPTIONAL(configuration, zero, NONNEGATIVE),
	OPTIONAL(configuration, shard, POSITIVE),
	OPTIONAL(configuration, vp, POSITIVE),
	OPTIONAL(configuration, mbs, POSITIVE),
	REQUIRED(configuration, micro_batches, POSITIVE),
	OPTIONAL(configuration, sp, ANY),
	CHOICE(configuration, schedule, true, order_names),
	{ .name = "recompute", .type = FIELD_ENUM, .offset = offsetof(struct configuration, recompute),
	    .optional = true, .names = recomputation_names, .set = module_names },
	CHOICE(configuration, dispatcher, true, dispatcher_names),
	OPTIONAL(configuration, ep_overlap, ANY),
	CHOICE(configuration, graph, true, graph_names),
	CHOICES(configuration, graph_scope, true, graph_scope_names),
	CHOICES(configuration, fused, true, fused_names),
	{ .name = "stage_layers", .type = FIELD_GRID, .offset = offsetof(struct configuration, stage_layers),
	    .optional = true, .flat = true, .sign = NONNEGATIVE },
	OPTIONAL(configuration, tail_even, ANY),
	OPTIONAL(configuration, alone, ANY),
	CHOICE(configuration, compute, true, number_types),
	OPTIONAL(configuration, attention8, ANY),
	OPTIONAL(configuration, store, POSITIVE),
	CHOICE(configuration, optimizer, true, optimizer_names),
	OPTIONAL(configuration, optimizer_host, NONNEGATIVE),
	OPTIONAL(configuration, reject, ANY),
	OPTIONAL(configuration, why, ANY),
};
const struct fields configuration_fields = EXACT_FIELDS(configuration, "candidate");

enum { DEVICES_MOST = 1 << 26, MICRO_MOST = 1 << 26, STORE_MOST = 4 };

static void
check_schedule(const struct configuration *c, struct place at)
{
	bool interleaved = c->schedule == ORDER_INTERLEAVED || c->schedule == ORDER_INTERLEAVED_LESS;

	if ((c->pp == 1) != (c->schedule == ORDER_NONE))
		place_die(at, "candidate: schedule '%s' needs %s, not %d", order_names[c->schedule],
		    c->pp == 1 ? "more than one stage" : "one stage", c->pp);
	if (c->pp > 1 && (c->vp > 1) != interleaved)
		place_die(at, "candidate: schedule '%s' needs %s a stage, not %d", order_names[c->schedule],
		    interleaved ? "more than one chunk" : "one chunk", c->vp);
}

static void
check_settings(const struct configuration *c, struct place at)
{
	const struct grid *g = &c->stage_layers;

	if (c->graph_scope != 0 && c->graph != GRAPH_PART)
		place_die(at, "candidate: graph_scope: only with graph part, not '%s'", graph_names[c->graph]);
	if (c->store > STORE_MOST)
		place_die(at, "candidate: store: above %d bytes '%g'", STORE_MOST, c->store);
	if (c->optimizer_host > 1)
		place_die(at, "candidate: optimizer_host: a fraction above 1 '%g'", c->optimizer_host);
	if (g->at != NULL && (g->chunks != 1 || g->stages != c->pp))
		place_die(at, "candidate: stage_layers: expected one number for each of %d stages, not '%d'", c->pp,
		    g->chunks * g->stages);
}

int
configuration_devices(const struct configuration *c)
{
	return c->dp * c->tp * c->cp * c->pp;
}

int
configuration_recompute(const struct configuration *c)
{
	return c->recompute & FIELD_IS_SET ? KEEP_MODULES : c->recompute;
}

int
configuration_modules(const struct configuration *c)
{
	return c->recompute & FIELD_IS_SET ? c->recompute & ~FIELD_IS_SET : 0;
}

/*
 * No framework fuses the experts' matrix products with collectives. The flex dispatcher has no fused sorting of tokens.
 */
int
configuration_fusable(const struct configuration *c, bool experts)
{
	return (c->tp > 1 && c->sp && !experts ? FUSED_MC2 : 0) |
	    (experts && c->dispatcher != DISPATCHER_FLEX ? FUSED_PERMUTE : 0);
}

char *
configuration_fused_not(const struct configuration *c, bool experts)
{
	int not = c->fused & ~configuration_fusable(c, experts);

	if (not & FUSED_MC2)
		return xasprintf("mc2 needs tp and sp, and layers without experts: tp %d%s%s", c->tp,
		    c->sp ? ", sp" : "", experts ? ", experts" : "");
	if (not & FUSED_PERMUTE)
		return xasprintf("permute needs experts that tokens reach by an all-to-all: %s", experts ?
		    "dispatcher flex" : "no experts");
	return NULL;
}

char *
configuration_modules_name(const struct configuration *c)
{
	int modules = configuration_modules(c);
	char *name = NULL, *longer;

	for (int i = 0; module_names[i] != NULL; i++)
		if (modules >> i & 1) {
			longer = xasprintf("%s%s%s", name != NULL ? name : "", name != NULL ? "+" : "",
			    module_names[i]);
			free(name);
			name = longer;
		}
	return name;
}

/* Types with scales: one scale of 8 bits for every 32 numbers of 8 bits, or for every 16 numbers of 4 bits. */
double
configuration_stored(int type)
{
	return type == TYPE_FP4 ? 0.5625 : type == TYPE_BF16 || type == TYPE_FP16 || type == TYPE_FP32 ? 2 : 1.03125;
}

int
configuration_compute(const struct configuration *c)
{
	return GIVEN(configuration, c, compute) ? c->compute : c->store < 1 ? TYPE_FP4 : c->store < 2 ? TYPE_FP8 :
	    TYPE_BF16;
}

void
configuration_set_compute(struct configuration *c, int type)
{
	GIVE(configuration, c, compute, type);
	FORGET(configuration, c, store);
	c->store = configuration_stored(type);
	if (c->store == configuration_plain.store) {
		FORGET(configuration, c, attention8);
		c->attention8 = false;
	}
}

double
configuration_states(const struct configuration *c, double usual)
{
	/* weights and moments, by enum optimizer */
	static const double bytes[] = { 4 + 2 * 4, 4 + 2 * 2, 4 + 4 };

	return c->optimizer == OPTIMIZER_UNSAID ? usual : bytes[c->optimizer];
}

void
configuration_complete(struct configuration *c)
{
#define DEFAULT(member, value) if (!GIVEN(configuration, c, member)) c->member = (value)
	DEFAULT(cp, 1);
	DEFAULT(ep, 1);
	DEFAULT(etp, 1);
	DEFAULT(zero, 1);
	DEFAULT(vp, 1);
	DEFAULT(mbs, 1);
	DEFAULT(shard, c->zero == 0 ? 1 : c->dp * c->cp);
	DEFAULT(sp, c->tp > 1);
	DEFAULT(schedule, c->pp == 1 ? ORDER_NONE : c->vp == 1 ? ORDER_1F1B : ORDER_INTERLEAVED);
	DEFAULT(recompute, configuration_plain.recompute);
	DEFAULT(dispatcher, configuration_plain.dispatcher);
	DEFAULT(store, configuration_stored(c->compute));
	DEFAULT(optimizer, configuration_plain.optimizer);
#undef DEFAULT
}

void
configuration_check(struct configuration *c, struct place at)
{
	double devices = (double)c->dp * c->tp * (GIVEN(configuration, c, cp) ? c->cp : 1) * c->pp;

	if (devices > DEVICES_MOST)
		place_die(at, "candidate: more than %d devices '%.15g'", DEVICES_MOST, devices);
	configuration_complete(c);
	if (c->micro_batches > MICRO_MOST || c->mbs > MICRO_MOST || c->vp > MICRO_MOST)
		place_die(at, "candidate: more than %d micro-batches, sequences or chunks '%d'", MICRO_MOST,
		    c->micro_batches);
	if (c->zero > 3)
		place_die(at, "candidate: zero: above 3 '%d'", c->zero);
	if ((c->dp * c->cp) % c->shard != 0)
		place_die(at, "candidate: shard: does not divide dp %d times cp %d '%d'", c->dp, c->cp, c->shard);
	if ((double)c->dp * c->cp * c->tp < (double)c->ep * c->etp)
		place_die(at, "candidate: ep: %d times etp %d is more than the devices of a stage, dp %d times cp %d "
		    "times tp %d '%d'", c->ep, c->etp, c->dp, c->cp, c->tp, c->ep);
	check_schedule(c, at);
	check_settings(c, at);
}

/* Append "_NAME value" to TEXT unless VALUE is USUAL. Takes ownership of TEXT. */
static char *
append(char *text, const char *name, int value, int usual)
{
	char *longer;

	if (value == usual)
		return text;
	longer = xasprintf("%s_%s%d", text, name, value);
	free(text);
	return longer;
}

/* Append all settings that differ from their defaults. */
static char *
append_settings(char *text, const struct configuration *c)
{
	char *modules = configuration_modules_name(c), *longer, *type = xstrdup(GIVEN(configuration, c, compute) &&
	    c->compute != TYPE_BF16 ? number_types[c->compute] : "");

	longer = xasprintf("%s%s%s%s%s%s%s%s%s", text, c->dispatcher == DISPATCHER_FLEX ? "_FLEX" : "",
	    c->ep_overlap ? "_OVERLAP" : "", c->graph == GRAPH_PART ? "_PARTGRAPH" : c->graph == GRAPH_FULL ?
	    "_FULLGRAPH" : "", c->fused & FUSED_MC2 ? "_MC2" : "", c->fused & FUSED_PERMUTE ? "_PERMUTE" : "",
	    c->optimizer == OPTIMIZER_ADAM16 ? "_ADAM16" : c->optimizer == OPTIMIZER_SGD ? "_SGD" : "",
	    modules != NULL ? "_" : "", modules != NULL ? modules : "");
	free(modules);
	free(text);
	for (char *t = type; *t != '\0'; t++)
		*t = (char)toupper((unsigned char)*t);
	if (*type != '\0') {
		text = longer;
		longer = xasprintf("%s_%s", text, type);
		free(text);
	}
	free(type);
	return append(longer, "HOST", (int)lround(100 * c->optimizer_host), 0);
}

char *
configuration_name(const struct configuration *c)
{
	char *name = xasprintf("DP%d_TP%d_PP%d_EP%d", c->dp, c->tp, c->pp, c->ep);

	name = append(name, "CP", c->cp, 1);
	name = append(name, "ETP", c->etp, 1);
	name = append(name, "ZERO", c->zero, 1);
	name = append(name, "SHARD", c->shard, c->zero == 0 ? 1 : c->dp * c->cp);
	name = append(name, "VP", c->vp, 1);
	name = append(name, "MBS", c->mbs, 0);
	if (c->cp > 1 && c->cp_kind == CONTEXT_ULYSSES) {
		char *longer = xasprintf("%s_ULYSSES", name);

		free(name);
		name = longer;
	}
	return append_settings(name, c);
}

void
configuration_give_kind(struct configuration *c)
{
	if (c->cp_kind != CONTEXT_RING)
		GIVE(configuration, c, cp_kind, c->cp_kind);
}

void
configuration_give_degrees(struct configuration *c)
{
	static const size_t optional[] = { offsetof(struct configuration, cp), offsetof(struct configuration, ep),
		offsetof(struct configuration, etp), offsetof(struct configuration, zero),
		offsetof(struct configuration, shard),
		offsetof(struct configuration, vp), offsetof(struct configuration, mbs),
		offsetof(struct configuration, sp),
		offsetof(struct configuration, schedule) };

	for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++)
		field_give(&configuration_fields, c, optional[i]);
}
