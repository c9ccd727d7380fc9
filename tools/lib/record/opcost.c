#include "opcost.h"

static const struct field opcost_field[] = {
	REQUIRED(opcost, type, ANY),
	SHAPES(opcost, input),
	SHAPES(opcost, output),
	OPTIONAL(opcost, dtype, ANY),
	OPTIONAL(opcost, core, ANY),
	OPTIONAL(opcost, device, ANY),
	REQUIRED(opcost, calls, POSITIVE),
	REQUIRED(opcost, sum, NONNEGATIVE),
	REQUIRED(opcost, min, NONNEGATIVE),
	REQUIRED(opcost, max, NONNEGATIVE),
	REQUIRED(opcost, bins, POSITIVE),
};
const struct fields opcost_fields = FIELDS(opcost, "opcost");

static const struct field coverage_field[] = {
	REQUIRED(coverage, name, ANY),
	REQUIRED(coverage, operators, NONNEGATIVE),
	REQUIRED(coverage, time, NONNEGATIVE),
};
const struct fields coverage_fields = FIELDS(coverage, "coverage");
