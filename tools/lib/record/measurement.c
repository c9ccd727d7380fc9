#include "measurement.h"

static const char *const timing_phases[] = { "forward", "backward", "recompute", "weight", NULL };
const char *const peak_kinds[] = { "actual", "used", NULL };

static const struct field timing_field[] = {
	REQUIRED(timing, name, ANY),
	CHOICE(timing, phase, false, timing_phases),
	REQUIRED(timing, total, NONNEGATIVE),
	OPTIONAL(timing, busy, NONNEGATIVE),
	OPTIONAL(timing, wait, NONNEGATIVE),
	REQUIRED(timing, instances, POSITIVE),
	REQUIRED(timing, events, NONNEGATIVE),
	REQUIRED(timing, steps, POSITIVE),
	OPTIONAL(timing, min, NONNEGATIVE),
	OPTIONAL(timing, median, NONNEGATIVE),
	OPTIONAL(timing, max, NONNEGATIVE),
	OPTIONAL(timing, stage, NONNEGATIVE),
	OPTIONAL(timing, source, LINES),
};
const struct fields timing_fields = FIELDS(timing, "timing");

static const struct field measured_step_field[] = {
	REQUIRED(measured_step, time, POSITIVE),
	OPTIONAL(measured_step, name, ANY),
	OPTIONAL(measured_step, pipeline, NONNEGATIVE),
	OPTIONAL(measured_step, steps, POSITIVE),
	OPTIONAL(measured_step, stage, NONNEGATIVE),
	OPTIONAL(measured_step, rank, NONNEGATIVE),
	OPTIONAL(measured_step, before, NONNEGATIVE),
	OPTIONAL(measured_step, after, NONNEGATIVE),
	OPTIONAL(measured_step, parts, NONNEGATIVE),
	OPTIONAL(measured_step, transfer, NONNEGATIVE),
	OPTIONAL(measured_step, source, LINES),
};
const struct fields measured_step_fields = FIELDS(measured_step, "step");

static const struct field peak_field[] = {
	REQUIRED(peak, stage, NONNEGATIVE),
	REQUIRED(peak, memory, POSITIVE),
	CHOICE(peak, which, false, peak_kinds),
	OPTIONAL(peak, round, NONNEGATIVE),
	OPTIONAL(peak, state, POSITIVE),
	OPTIONAL(peak, source, LINES),
};
const struct fields peak_fields = FIELDS(peak, "peak");

#define FLAT(m, sgn) { .name = #m, .type = FIELD_GRID, .offset = offsetof(struct measure, m), .flat = true, \
	.sign = sgn }
static const struct field measure_field[] = {
	REQUIRED(measure, round, NONNEGATIVE),
	FLAT(offset, ANY),
	FLAT(recompute, NONNEGATIVE),
	FLAT(select_recompute, NONNEGATIVE),
	FLAT(select_comm_recompute, NONNEGATIVE),
};
const struct fields measure_fields = FIELDS(measure, "measure");

static const struct field residual_field[] = {
	REQUIRED(residual, stage, NONNEGATIVE),
	REQUIRED(residual, round, NONNEGATIVE),
	REQUIRED(residual, measured, ANY),
	REQUIRED(residual, predicted, ANY),
	OPTIONAL(residual, floor, ANY),
	OPTIONAL(residual, left_out, ANY),
};
const struct fields residual_fields = FIELDS(residual, "residual");

static const struct field estimate_field[] = {
	REQUIRED(estimate, name, ANY),
	REQUIRED(estimate, value, ANY),
	OPTIONAL(estimate, error, NONNEGATIVE),
	OPTIONAL(estimate, computed, ANY),
};
const struct fields estimate_fields = FIELDS(estimate, "estimates");

static const struct field fit_field[] = {
	REQUIRED(fit, unknowns, POSITIVE),
	REQUIRED(fit, rank, NONNEGATIVE),
	OPTIONAL(fit, condition, NONNEGATIVE),
	NESTED(FIELD_ARRAY, fit, estimates, true, &estimate_fields),
	NESTED(FIELD_ARRAY, fit, residuals, false, &residual_fields),
	NESTED(FIELD_ARRAY, fit, outliers, true, &residual_fields),
};
const struct fields fit_fields = FIELDS(fit, "fit");
