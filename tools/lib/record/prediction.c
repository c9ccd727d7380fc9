#include "prediction.h"

#include "device_operator.h"

#include <math.h>

static const struct field memory_parts_field[] = {
	NAMED("static", memory_parts, static_memory, false, NONNEGATIVE),
	REQUIRED(memory_parts, activation, ANY),
	REQUIRED(memory_parts, logits, NONNEGATIVE),
	REQUIRED(memory_parts, reserve, NONNEGATIVE),
};
static const struct fields memory_parts_fields = FIELDS(memory_parts, "memory_parts");

static const struct field step_parts_field[] = {
	REQUIRED(step_parts, forward, NONNEGATIVE),
	REQUIRED(step_parts, backward, NONNEGATIVE),
	REQUIRED(step_parts, head, NONNEGATIVE),
	REQUIRED(step_parts, tp, NONNEGATIVE),
	REQUIRED(step_parts, cp, NONNEGATIVE),
	REQUIRED(step_parts, ep, NONNEGATIVE),
	REQUIRED(step_parts, pp, NONNEGATIVE),
	REQUIRED(step_parts, dp, NONNEGATIVE),
	REQUIRED(step_parts, optimizer, NONNEGATIVE),
	REQUIRED(step_parts, bubble, ANY),
};
static const struct fields step_parts_fields = FIELDS(step_parts, "times");

static const struct field share_parts_field[] = {
	REQUIRED(share_parts, matmul, NONNEGATIVE),
	REQUIRED(share_parts, attention, NONNEGATIVE),
	REQUIRED(share_parts, memory, NONNEGATIVE),
	REQUIRED(share_parts, host, NONNEGATIVE),
	REQUIRED(share_parts, alltoall, NONNEGATIVE),
	REQUIRED(share_parts, network, NONNEGATIVE),
};
static const struct fields share_parts_fields = FIELDS(share_parts, "shares");

static const struct field layer_detail_parts_field[] = {
	REQUIRED(layer_detail_parts, rows_per_expert, NONNEGATIVE),
	REQUIRED(layer_detail_parts, grouped, NONNEGATIVE),
	REQUIRED(layer_detail_parts, attention, NONNEGATIVE),
	REQUIRED(layer_detail_parts, bytes_memory, NONNEGATIVE),
	REQUIRED(layer_detail_parts, segment_a, NONNEGATIVE),
	REQUIRED(layer_detail_parts, segment_x, NONNEGATIVE),
	REQUIRED(layer_detail_parts, segment_a_backward, NONNEGATIVE),
	REQUIRED(layer_detail_parts, segment_x_backward, NONNEGATIVE),
	REQUIRED(layer_detail_parts, host_a, NONNEGATIVE),
	REQUIRED(layer_detail_parts, host_x, NONNEGATIVE),
	REQUIRED(layer_detail_parts, sync, NONNEGATIVE),
	REQUIRED(layer_detail_parts, dispatch, NONNEGATIVE),
	{ .name = "link_bytes", .type = FIELD_LIST, .offset = offsetof(struct layer_detail_parts, link_bytes),
	    .flat = true, .sign = NONNEGATIVE },
	REQUIRED(layer_detail_parts, exposed, NONNEGATIVE),
	REQUIRED(layer_detail_parts, recompute_gpu, NONNEGATIVE),
	REQUIRED(layer_detail_parts, recompute, NONNEGATIVE),
};
static const struct fields layer_detail_parts_fields = FIELDS(layer_detail_parts, "detail");

static const struct field layer_parts_field[] = {
	REQUIRED(layer_parts, type, ANY),
	REQUIRED(layer_parts, count, POSITIVE),
	REQUIRED(layer_parts, parameters, NONNEGATIVE),
	REQUIRED(layer_parts, parameters_dense, NONNEGATIVE),
	REQUIRED(layer_parts, parameters_routed, NONNEGATIVE),
	REQUIRED(layer_parts, memory_parameter, NONNEGATIVE),
	REQUIRED(layer_parts, memory_activation, NONNEGATIVE),
	REQUIRED(layer_parts, memory_select_rec, NONNEGATIVE),
	REQUIRED(layer_parts, memory_recompute, NONNEGATIVE),
	REQUIRED(layer_parts, forward_flops, NONNEGATIVE),
	REQUIRED(layer_parts, forward, NONNEGATIVE),
	REQUIRED(layer_parts, backward, NONNEGATIVE),
	REQUIRED(layer_parts, select_rec, NONNEGATIVE),
	REQUIRED(layer_parts, recompute, NONNEGATIVE),
	REQUIRED(layer_parts, forward_compute, NONNEGATIVE),
	REQUIRED(layer_parts, backward_compute, NONNEGATIVE),
	REQUIRED(layer_parts, tp_bytes, NONNEGATIVE),
	REQUIRED(layer_parts, ep_bytes, NONNEGATIVE),
	REQUIRED(layer_parts, cp_bytes, NONNEGATIVE),
	REQUIRED(layer_parts, tp_ms, NONNEGATIVE),
	REQUIRED(layer_parts, ep_ms, NONNEGATIVE),
	REQUIRED(layer_parts, cp_ms, NONNEGATIVE),
	NESTED(FIELD_OBJECT, layer_parts, detail, true, &layer_detail_parts_fields),
};
const struct fields layer_parts_fields = FIELDS(layer_parts, "layers");

static const struct field end_parts_field[] = {
	REQUIRED(end_parts, parameters, NONNEGATIVE),
	REQUIRED(end_parts, memory_parameter, NONNEGATIVE),
	REQUIRED(end_parts, forward, NONNEGATIVE),
	REQUIRED(end_parts, backward, NONNEGATIVE),
	OPTIONAL(end_parts, memory_activation, NONNEGATIVE),
	OPTIONAL(end_parts, logits, NONNEGATIVE),
};
const struct fields end_parts_fields = FIELDS(end_parts, "head");

static const struct field alike_field[] = {
	REQUIRED(alike, name, ANY),
	REQUIRED(alike, dp, POSITIVE),
	REQUIRED(alike, tp, POSITIVE),
	REQUIRED(alike, cp, POSITIVE),
	REQUIRED(alike, pp, POSITIVE),
	REQUIRED(alike, ep, POSITIVE),
	REQUIRED(alike, vp, POSITIVE),
	REQUIRED(alike, mbs, POSITIVE),
};
const struct fields alike_fields = FIELDS(alike, "alike");

static const char *const figure_names[] = { "computed", "fitted", "measured", NULL };
static const char *const efficiency_names[] = { "default", "fitted", "borrowed", NULL };

static const struct field prediction_source_field[] = {
	CHOICE(prediction_source, memory, false, figure_names),
	CHOICE(prediction_source, layers, false, figure_names),
	CHOICE(prediction_source, efficiency, false, efficiency_names),
	CHOICE(prediction_source, communication, true, figure_names),
	OPTIONAL(prediction_source, shares, NONNEGATIVE),
};
const struct fields prediction_source_fields = FIELDS(prediction_source, "source");

#define OF(member, sgn) { .name = #member, .type = FIELD_TYPE(configuration, member), \
	.offset = offsetof(struct prediction, of.member), .sign = sgn }
#define OF_CHOICE(member, nms) { .name = #member, .type = FIELD_ENUM, .names = nms, \
	.offset = offsetof(struct prediction, of.member) }
#define SETTING(member, sgn) { .name = #member, .type = FIELD_TYPE(configuration, member), \
	.offset = offsetof(struct prediction, of.member), .sign = sgn, .optional = true }
#define SETTING_CHOICE(member, nms) { .name = #member, .type = FIELD_ENUM, .names = nms, \
	.offset = offsetof(struct prediction, of.member), .optional = true }

static const struct field prediction_field[] = {
	OF(name, ANY),
	{ .name = "origin", .type = FIELD_STRING, .offset = offsetof(struct prediction, of.origin), .optional = true },
	OF(dp, POSITIVE),
	OF(tp, POSITIVE),
	OF(cp, POSITIVE),
	{ .name = "cp_kind", .type = FIELD_ENUM, .names = context_names, .optional = true,
	    .offset = offsetof(struct prediction, of.cp_kind) },
	OF(pp, POSITIVE),
	OF(ep, POSITIVE),
	OF(etp, POSITIVE),
	OF(zero, NONNEGATIVE),
	OF(shard, POSITIVE),
	OF(vp, POSITIVE),
	OF(mbs, POSITIVE),
	OF(micro_batches, POSITIVE),
	OF(sp, ANY),
	OF_CHOICE(schedule, order_names),
	{ .name = "recompute", .type = FIELD_ENUM, .offset = offsetof(struct prediction, of.recompute),
	    .names = recomputation_names, .set = module_names },
	SETTING_CHOICE(dispatcher, dispatcher_names),
	SETTING(ep_overlap, ANY),
	SETTING_CHOICE(graph, graph_names),
	{ .name = "graph_scope", .type = FIELD_SET, .offset = offsetof(struct prediction, of.graph_scope),
	    .optional = true, .set = graph_scope_names },
	{ .name = "fused", .type = FIELD_SET, .offset = offsetof(struct prediction, of.fused), .optional = true,
	    .set = fused_names },
	{ .name = "stage_layers", .type = FIELD_GRID, .offset = offsetof(struct prediction, of.stage_layers),
	    .optional = true, .flat = true, .sign = NONNEGATIVE },
	SETTING(tail_even, ANY),
	SETTING(alone, ANY),
	SETTING_CHOICE(compute, number_types),
	SETTING(attention8, ANY),
	SETTING(store, POSITIVE),
	SETTING_CHOICE(optimizer, optimizer_names),
	SETTING(optimizer_host, NONNEGATIVE),
	REQUIRED(prediction, fits, ANY),
	REQUIRED(prediction, step_time, NONNEGATIVE),
	REQUIRED(prediction, lower_bound, NONNEGATIVE),
	REQUIRED(prediction, tokens_per_second, NONNEGATIVE),
	REQUIRED(prediction, mfu, NONNEGATIVE),
	{ .name = "memory", .type = FIELD_LIST, .offset = offsetof(struct prediction, memory), .flat = true,
	    .sign = NONNEGATIVE },
	{ .name = "over", .type = FIELD_LIST, .offset = offsetof(struct prediction, over), .flat = true,
	    .sign = NONNEGATIVE },
	NESTED(FIELD_OBJECT, prediction, memory_parts, false, &memory_parts_fields),
	NESTED(FIELD_OBJECT, prediction, times, false, &step_parts_fields),
	NESTED(FIELD_OBJECT, prediction, source, false, &prediction_source_fields),
	OPTIONAL(prediction, low, NONNEGATIVE),
	OPTIONAL(prediction, high, NONNEGATIVE),
	OPTIONAL(prediction, error, NONNEGATIVE),
	{ .name = "memory_high", .type = FIELD_LIST, .offset = offsetof(struct prediction, memory_high),
	    .optional = true, .flat = true, .sign = NONNEGATIVE },
	NESTED(FIELD_OBJECT, prediction, shares, true, &share_parts_fields),
	NESTED(FIELD_ARRAY, prediction, layers, true, &layer_parts_fields),
	NESTED(FIELD_OBJECT, prediction, head, true, &end_parts_fields),
	NESTED(FIELD_OBJECT, prediction, tail, true, &end_parts_fields),
	{ .name = "static", .type = FIELD_LIST, .offset = offsetof(struct prediction, state), .optional = true,
	    .flat = true,
	  .sign = NONNEGATIVE },
	{ .name = "split", .type = FIELD_GRID, .offset = offsetof(struct prediction, split), .optional = true,
	    .flat = true,
	  .sign = NONNEGATIVE },
	OPTIONAL(prediction, dp_raw, NONNEGATIVE),
	OPTIONAL(prediction, p2p, NONNEGATIVE),
	NESTED(FIELD_ARRAY, prediction, alike, true, &alike_fields),
};
const struct fields prediction_fields = FIELDS(prediction, "estimate");

void
prediction_check_bound(const struct prediction *p, struct place at)
{
	const double rounding = 1e-9;

	if (p->lower_bound > p->step_time * (1 + rounding))
		place_die(at, "fault in this program: the lower bound, %.10g ms, is above the step, %.10g ms",
		    p->lower_bound, p->step_time);
}

void
prediction_check(struct prediction *p, struct place at)
{
	const size_t of = offsetof(struct prediction, of);

	prediction_check_bound(p, at);
#define IS_GIVEN(member) field_given(&prediction_fields, p, of + offsetof(struct configuration, member))
	if (!IS_GIVEN(dispatcher))
		p->of.dispatcher = configuration_plain.dispatcher;
	if (!IS_GIVEN(store))
		p->of.store = configuration_stored(p->of.compute);
	for (int i = 0; i < prediction_fields.n; i++) {
		const struct field *f = &prediction_fields.field[i];

		if (f->offset >= of && f->offset < of + sizeof p->of &&
		    (!f->optional || f->type != FIELD_STRING))
			field_give(&configuration_fields, &p->of, f->offset - of);
	}
	if (!IS_GIVEN(compute))
		FORGET(configuration, &p->of, compute);
	if (!IS_GIVEN(optimizer)) {
		FORGET(configuration, &p->of, optimizer);
		p->of.optimizer = configuration_plain.optimizer;
	}
	if (!IS_GIVEN(optimizer_host))
		FORGET(configuration, &p->of, optimizer_host);
#undef IS_GIVEN
	/* An empty list is not written. */
	if (p->of.stage_layers.at == NULL)
		FORGET(configuration, &p->of, stage_layers);
	if (p->of.graph != GRAPH_PART || p->of.graph_scope == 0)
		FORGET(configuration, &p->of, graph_scope);
}

double
prediction_peak(const struct prediction *p)
{
	double most = 0;

	for (int i = 0; i < p->memory.n; i++)
		most = fmax(most, p->memory.at[i]);
	return most;
}
