#include "device_operator.h"

#include <stddef.h>

static const char *const ops[] = { "matmul", "grouped", "attention", "bytes", "layer", NULL };
static const char *const layouts[] = { "TN", "NN", "NT", NULL };
static const char *const phases[] = { "forward", "backward", "weight", NULL };
const char *const number_types[] = { "bf16", "fp16", "fp32", "fp8", "fp8_block", "mxfp8", "fp4", NULL };

static const struct field device_operator_field[] = {
	CHOICE(device_operator, op, false, ops),
	OPTIONAL(device_operator, m, POSITIVE),
	OPTIONAL(device_operator, n, POSITIVE),
	OPTIONAL(device_operator, k, POSITIVE),
	CHOICE(device_operator, layout, true, layouts),
	OPTIONAL(device_operator, accumulate, ANY),
	OPTIONAL(device_operator, groups, POSITIVE),
	CHOICE(device_operator, phase, true, phases),
	OPTIONAL(device_operator, batch, POSITIVE),
	OPTIONAL(device_operator, seq, POSITIVE),
	OPTIONAL(device_operator, heads, POSITIVE),
	OPTIONAL(device_operator, kv_heads, POSITIVE),
	OPTIONAL(device_operator, qk_dim, POSITIVE),
	OPTIONAL(device_operator, v_dim, POSITIVE),
	OPTIONAL(device_operator, causal, ANY),
	OPTIONAL(device_operator, contiguous, ANY),
	OPTIONAL(device_operator, window, POSITIVE),
	OPTIONAL(device_operator, of, ANY),
	OPTIONAL(device_operator, bytes, POSITIVE),
	CHOICE(device_operator, dtype, true, number_types),
	CHOICE(device_operator, out, true, number_types),
	CHOICE(device_operator, gradient, true, number_types),
	OPTIONAL(device_operator, time, POSITIVE),
	OPTIONAL(device_operator, spread, NONNEGATIVE),
	OPTIONAL(device_operator, bandwidth, POSITIVE),
	OPTIONAL(device_operator, latency, NONNEGATIVE),
	OPTIONAL(device_operator, fitted, ANY),
	OPTIONAL(device_operator, calls, POSITIVE),
	OPTIONAL(device_operator, device, ANY),
	OPTIONAL(device_operator, software, ANY),
	OPTIONAL(device_operator, source, ANY),
	OPTIONAL(device_operator, why, ANY),
	OPTIONAL(device_operator, share, NONNEGATIVE),
	OPTIONAL(device_operator, candidates, POSITIVE),
	OPTIONAL(device_operator, worth, NONNEGATIVE),
};
const struct fields device_operator_fields = FIELDS(device_operator, "operator");

enum { MATMUL = 1 << OPERATOR_MATMUL, GROUPED = 1 << OPERATOR_GROUPED, ATTENTION = 1 << OPERATOR_ATTENTION,
	BYTES = 1 << OPERATOR_BYTES, LAYER = 1 << OPERATOR_LAYER };

/* For each member, the operators that may have it and the operators that require it. */
static const struct {
	size_t offset;
	const char *name;
	int of, required;
} rules[] = {
#define RULE(m, of, required) { offsetof(struct device_operator, m), #m, of, required }
	RULE(m, MATMUL | GROUPED, MATMUL | GROUPED),
	RULE(n, MATMUL | GROUPED, MATMUL | GROUPED),
	RULE(k, MATMUL | GROUPED, MATMUL | GROUPED),
	RULE(layout, MATMUL, MATMUL),
	RULE(accumulate, MATMUL | GROUPED, 0),
	RULE(groups, GROUPED, GROUPED),
	RULE(phase, GROUPED | ATTENTION | BYTES | LAYER, GROUPED | ATTENTION),
	RULE(batch, ATTENTION, ATTENTION),
	RULE(seq, ATTENTION, ATTENTION),
	RULE(heads, ATTENTION, ATTENTION),
	RULE(kv_heads, ATTENTION, ATTENTION),
	RULE(qk_dim, ATTENTION, ATTENTION),
	RULE(v_dim, ATTENTION, ATTENTION),
	RULE(causal, ATTENTION, 0),
	RULE(contiguous, ATTENTION, 0),
	RULE(window, ATTENTION, 0),
	RULE(of, BYTES | LAYER, BYTES | LAYER),
	RULE(bytes, BYTES, 0),
	RULE(dtype, MATMUL | GROUPED | ATTENTION | BYTES | LAYER, MATMUL | GROUPED | ATTENTION),
	RULE(out, MATMUL | GROUPED, 0),
	RULE(gradient, GROUPED, 0),
	RULE(bandwidth, BYTES, 0),
	RULE(latency, BYTES, 0),
	RULE(fitted, BYTES, 0),
#undef RULE
};

void
device_operator_check(struct device_operator *o, struct place at)
{
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		bool given = field_given(&device_operator_fields, o, rules[i].offset);

		if (given && (rules[i].of & 1 << o->op) == 0)
			place_die(at, "operator: %s: not a member of op '%s'", rules[i].name, ops[o->op]);
		if (!given && (rules[i].required & 1 << o->op) != 0)
			place_die(at, "operator: missing member '%s' of op '%s'", rules[i].name, ops[o->op]);
	}
	if (o->op == OPERATOR_MATMUL && o->layout == LAYOUT_NT && !GIVEN(device_operator, o, out))
		place_die(at, "operator: missing member 'out': layout NT needs the type of its result");
	if (o->op == OPERATOR_ATTENTION && o->phase == OPERATOR_WEIGHT)
		place_die(at, "operator: phase: attention is only forward or backward, not '%s'", phases[o->phase]);
	if (o->op == OPERATOR_BYTES && !GIVEN(device_operator, o, bandwidth) && !GIVEN(device_operator, o, bytes))
		place_die(at, "operator: missing member 'bytes' or 'bandwidth' of op 'bytes'");
	if (GIVEN(device_operator, o, time) && GIVEN(device_operator, o, bandwidth))
		place_die(at, "operator: bandwidth and 'time' exclude each other");
	if (!GIVEN(device_operator, o, out))
		o->out = o->op == OPERATOR_MATMUL && o->accumulate ? TYPE_FP32 : o->dtype;
	if (!GIVEN(device_operator, o, gradient))
		o->gradient = TYPE_FP32;
}
