#include "program.h"

static const struct field unknown_argument_field[] = {
	REQUIRED(unknown_argument, argument, LINES),
	OPTIONAL(unknown_argument, from, LINES),
	OPTIONAL(unknown_argument, line, NONNEGATIVE),
	OPTIONAL(unknown_argument, variable, LINES),
};
const struct fields unknown_argument_fields = FIELDS(unknown_argument, "unknown");

static const struct field program_field[] = {
	REQUIRED(program, line, NONNEGATIVE),
	REQUIRED(program, source, LINES),
	{ .name = "environment", .type = FIELD_ASSIGNMENTS, .offset = offsetof(struct program, environment) },
	REQUIRED(program, launcher, LINES),
	REQUIRED(program, program, LINES),
	REQUIRED(program, arguments, LINES),
	NESTED(FIELD_ARRAY, program, unknown, true, &unknown_argument_fields),
};
const struct fields program_fields = FIELDS(program, "launch");
