#include "comparison.h"

const char *const compared_names[] = { "step", "pipeline", "outside", "forward", "backward", "transfer", "peak", NULL };

static const struct field compared_field[] = {
	CHOICE(compared, figure, false, compared_names),
	OPTIONAL(compared, stage, NONNEGATIVE),
	REQUIRED(compared, measured, ANY),
	REQUIRED(compared, predicted, ANY),
	OPTIONAL(compared, error, ANY),
	OPTIONAL(compared, low, NONNEGATIVE),
	OPTIONAL(compared, high, NONNEGATIVE),
};
const struct fields compared_fields = FIELDS(compared, "compared");

static const struct field comparison_field[] = {
	REQUIRED(comparison, name, ANY),
	NESTED(FIELD_ARRAY, comparison, figures, false, &compared_fields),
	REQUIRED(comparison, cause, LINES),
};
const struct fields comparison_fields = FIELDS(comparison, "comparison");
