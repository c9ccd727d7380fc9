/* Kinds of recomputation. */
#include "recompute.h"

#include <stddef.h>

const char *const recompute_names[RECOMPUTE_KINDS + 1] = {
	[RECOMPUTE_NONE] = "none",
	[RECOMPUTE_SELECT] = "select",
	[RECOMPUTE_COMM] = "comm",
	[RECOMPUTE_BOTH] = "both",
	[RECOMPUTE_FULL] = "full",
	[RECOMPUTE_KINDS] = NULL,
};

const double recompute_default_coef[RECOMPUTE_KINDS] = {
	[RECOMPUTE_NONE] = 0,
	[RECOMPUTE_SELECT] = 0.04,
	[RECOMPUTE_COMM] = 0.125,
	[RECOMPUTE_BOTH] = 0.165,
	[RECOMPUTE_FULL] = 0.5,
};

/* A backward of twice the forward takes these shares of the forward more by the coefficients above. */
const double recompute_default_share[RECOMPUTE_KINDS] = { 0, 0.08, 0.25, 0.33, 1 };
