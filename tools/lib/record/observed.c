#include "observed.h"

const char *const observed_parts[] = { "head", "body", "tail", "outside", NULL };
const char *const observed_phases[] = { "forward", "backward", "recompute", "weight", "optimizer", NULL };
static const char *const observed_groups[] = { "tp", "cp", "ep", "etp", "dp", "edp", "pp", "embd", "other", NULL };
static const char *const observed_tolds[] = { "metadata", "traffic", NULL };
const char *const observed_ops[] = { "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send", "broadcast",
	NULL };
static const char *const observed_lives[] = { "static", "kept", "passing", NULL };

static const struct field observed_kernel_field[] = {
	REQUIRED(observed_kernel, run, ANY),
	REQUIRED(observed_kernel, stage, NONNEGATIVE),
	CHOICE(observed_kernel, part, false, observed_parts),
	CHOICE(observed_kernel, phase, false, observed_phases),
	OPTIONAL(observed_kernel, layer, ANY),
	REQUIRED(observed_kernel, order, NONNEGATIVE),
	REQUIRED(observed_kernel, type, ANY),
	SHAPES(observed_kernel, input),
	SHAPES(observed_kernel, output),
	OPTIONAL(observed_kernel, dtype, ANY),
	OPTIONAL(observed_kernel, core, ANY),
	REQUIRED(observed_kernel, calls, POSITIVE),
	REQUIRED(observed_kernel, time, NONNEGATIVE),
	OPTIONAL(observed_kernel, spread, NONNEGATIVE),
};
const struct fields observed_kernel_fields = FIELDS(observed_kernel, "kernel");

static const struct field observed_communication_field[] = {
	OPTIONAL(observed_communication, run, ANY),
	OPTIONAL(observed_communication, stage, NONNEGATIVE),
	CHOICE(observed_communication, group, true, observed_groups),
	CHOICE(observed_communication, told, true, observed_tolds),
	CHOICE(observed_communication, op, false, observed_ops),
	CHOICE(observed_communication, part, true, observed_parts),
	CHOICE(observed_communication, phase, true, observed_phases),
	OPTIONAL(observed_communication, order, NONNEGATIVE),
	OPTIONAL(observed_communication, members, POSITIVE),
	OPTIONAL(observed_communication, stride, POSITIVE),
	OPTIONAL(observed_communication, nodes, POSITIVE),
	REQUIRED(observed_communication, bytes, NONNEGATIVE),
	REQUIRED(observed_communication, calls, POSITIVE),
	REQUIRED(observed_communication, time, NONNEGATIVE),
	OPTIONAL(observed_communication, wait, NONNEGATIVE),
	OPTIONAL(observed_communication, dtype, ANY),
};
const struct fields observed_communication_fields = FIELDS(observed_communication, "communication");

static const struct field observed_tensor_field[] = {
	REQUIRED(observed_tensor, run, ANY),
	REQUIRED(observed_tensor, stage, NONNEGATIVE),
	CHOICE(observed_tensor, part, false, observed_parts),
	CHOICE(observed_tensor, phase, false, observed_phases),
	OPTIONAL(observed_tensor, layer, ANY),
	REQUIRED(observed_tensor, order, NONNEGATIVE),
	REQUIRED(observed_tensor, name, ANY),
	REQUIRED(observed_tensor, bytes, NONNEGATIVE),
	CHOICE(observed_tensor, life, false, observed_lives),
	REQUIRED(observed_tensor, calls, POSITIVE),
};
const struct fields observed_tensor_fields = FIELDS(observed_tensor, "tensor");

static const struct field observed_usage_field[] = {
	REQUIRED(observed_usage, run, ANY),
	REQUIRED(observed_usage, stage, NONNEGATIVE),
	CHOICE(observed_usage, part, false, observed_parts),
	CHOICE(observed_usage, phase, false, observed_phases),
	REQUIRED(observed_usage, begin, NONNEGATIVE),
	REQUIRED(observed_usage, peak, NONNEGATIVE),
	OPTIONAL(observed_usage, reserved, NONNEGATIVE),
	OPTIONAL(observed_usage, outside, NONNEGATIVE),
};
const struct fields observed_usage_fields = FIELDS(observed_usage, "usage");
