#include "training_run.h"

#include <string.h>

#include "device_operator.h"

static const char *const run_purposes[] = { "anchor", "lever", "traffic", "static", NULL };

#define OF(member, opt, sgn) { .name = #member, .type = FIELD_TYPE(configuration, member), \
	.offset = offsetof(struct training_run, of.member), .optional = opt, .sign = sgn }
#define OF_CHOICE(member, nms) { .name = #member, .type = FIELD_ENUM, \
	.offset = offsetof(struct training_run, of.member), .optional = true, .names = nms }
#define OF_SET(member, nms) { .name = #member, .type = FIELD_SET, \
	.offset = offsetof(struct training_run, of.member), .optional = true, .set = nms }

static const struct field training_run_field[] = {
	OF(name, true, ANY), OF(origin, true, ANY), OF(dp, false, POSITIVE), OF(tp, false, POSITIVE),
	OF(cp, true, POSITIVE),
	OF(pp, false, POSITIVE), OF(ep, true, POSITIVE), OF(etp, true, POSITIVE), OF(zero, true, NONNEGATIVE),
	OF(shard, true, POSITIVE), OF(vp, true, POSITIVE), OF(mbs, true, POSITIVE), OF(micro_batches, false, POSITIVE),
	OF(sp, true, ANY), OF_CHOICE(cp_kind, context_names), OF_CHOICE(schedule, order_names),
	{ .name = "recompute", .type = FIELD_ENUM, .offset = offsetof(struct training_run, of.recompute),
	    .optional = true, .names = recomputation_names, .set = module_names },
	OF_CHOICE(dispatcher, dispatcher_names), OF(ep_overlap, true, ANY), OF_CHOICE(graph, graph_names),
	OF_SET(graph_scope, graph_scope_names), OF_SET(fused, fused_names),
	{ .name = "stage_layers", .type = FIELD_GRID, .offset = offsetof(struct training_run, of.stage_layers),
	    .optional = true, .flat = true, .sign = NONNEGATIVE },
	OF(tail_even, true, ANY), OF(alone, true, ANY), OF_CHOICE(compute, number_types), OF(attention8, true, ANY),
	OF(store, true, POSITIVE),
	OPTIONAL(training_run, step_time, POSITIVE),
	OPTIONAL(training_run, layers, POSITIVE),
	OPTIONAL(training_run, seq_length, POSITIVE),
	OPTIONAL(training_run, experts, POSITIVE),
	OPTIONAL(training_run, num_heads, POSITIVE),
	OPTIONAL(training_run, kv_heads, POSITIVE),
	OPTIONAL(training_run, ffn_size, POSITIVE),
	OPTIONAL(training_run, expert_ffn_size, POSITIVE),
	OPTIONAL(training_run, vocab_size, POSITIVE),
	CHOICE(training_run, purpose, true, run_purposes),
	OPTIONAL(training_run, tells, ANY),
	OPTIONAL(training_run, dir, LINES),
	OPTIONAL(training_run, command, LINES),
	OPTIONAL(training_run, device, ANY),
	OPTIONAL(training_run, devices, POSITIVE),
	OPTIONAL(training_run, cost, NONNEGATIVE),
};
const struct fields training_run_fields = FIELDS(training_run, "run");

void
training_run_check(struct training_run *r, struct place at)
{
	for (int i = 0; i < training_run_fields.n; i++)
		for (int k = 0; k < configuration_fields.n; k++)
			if ((r->given >> i & 1) &&
			    strcmp(training_run_field[i].name, configuration_fields.field[k].name) == 0)
				r->of.given |= (uint64_t)1 << k;
	configuration_check(&r->of, at);
}
