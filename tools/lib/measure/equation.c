#include "equation.h"

#include <stddef.h>

const char *const unknown_names[UNKNOWNS + 1] = {
	[UNKNOWN_PARAMETER] = "parameter",
	[UNKNOWN_ACTIVATION + RECOMPUTE_NONE] = "none",
	[UNKNOWN_ACTIVATION + RECOMPUTE_SELECT] = "select",
	[UNKNOWN_ACTIVATION + RECOMPUTE_COMM] = "comm",
	[UNKNOWN_ACTIVATION + RECOMPUTE_BOTH] = "both",
	[UNKNOWN_ACTIVATION + RECOMPUTE_FULL] = "full",
	[UNKNOWN_CONSTANT] = "const",
	[UNKNOWN_HEAD] = "head",
	[UNKNOWN_TAIL] = "tail",
	[UNKNOWNS] = NULL,
};

void
equation_row(double row[UNKNOWNS], int stage, int stages, const int count[RECOMPUTE_BUILT_IN])
{
	row[UNKNOWN_PARAMETER] = 0;
	for (int k = 0; k < RECOMPUTE_BUILT_IN; k++) {
		row[UNKNOWN_PARAMETER] += count[k];
		row[UNKNOWN_ACTIVATION + k] = (stages - stage) * count[k];
	}
	row[UNKNOWN_CONSTANT] = 1;
	row[UNKNOWN_HEAD] = stage == 0;
	row[UNKNOWN_TAIL] = stage == stages - 1;
}
