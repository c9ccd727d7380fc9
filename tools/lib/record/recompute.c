#include "recompute.h"

#include <stddef.h>
#include <string.h>

#include "lib/base/clipped.h"

enum { NAME_LONGEST = 63 };
static char others[RECOMPUTE_KINDS - RECOMPUTE_BUILT_IN][NAME_LONGEST + 1];

const char *recompute_names[RECOMPUTE_KINDS + 1] = {
	[RECOMPUTE_NONE] = "none",
	[RECOMPUTE_SELECT] = "select",
	[RECOMPUTE_COMM] = "comm",
	[RECOMPUTE_BOTH] = "both",
	[RECOMPUTE_FULL] = "full",
};

const double recompute_default_coef[RECOMPUTE_KINDS] = {
	[RECOMPUTE_NONE] = 0,
	[RECOMPUTE_SELECT] = 0.04,
	[RECOMPUTE_COMM] = 0.125,
	[RECOMPUTE_BOTH] = 0.165,
	[RECOMPUTE_FULL] = 0.5,
};

/* If the backward takes two forwards, these fractions of the forward equal the coefficients above. */
const double recompute_default_share[RECOMPUTE_KINDS] = { 0, 0.08, 0.25, 0.33, 1 };

const enum recompute recompute_costly_first[RECOMPUTE_KINDS] = {
	RECOMPUTE_FULL, RECOMPUTE_BOTH, RECOMPUTE_SELECT, RECOMPUTE_COMM, RECOMPUTE_BUILT_IN, RECOMPUTE_BUILT_IN + 1,
	RECOMPUTE_BUILT_IN + 2, RECOMPUTE_BUILT_IN + 3, RECOMPUTE_BUILT_IN + 4, RECOMPUTE_BUILT_IN + 5,
	RECOMPUTE_BUILT_IN + 6, RECOMPUTE_NONE
};

int
recompute_known(void)
{
	int n = RECOMPUTE_BUILT_IN;

	while (n < RECOMPUTE_KINDS && recompute_names[n] != NULL)
		n++;
	return n;
}

int
recompute_kind(const char *name, struct place at)
{
	int n = recompute_known();
	struct clipped copy;

	for (int k = 0; k < n; k++)
		if (strcmp(recompute_names[k], name) == 0)
			return k;
	if (n == RECOMPUTE_KINDS)
		place_die(at, "more than %d kinds of recomputation in addition to the built-in kinds '%s'",
		    RECOMPUTE_KINDS - RECOMPUTE_BUILT_IN, name);
	copy = CLIPPED(others[n - RECOMPUTE_BUILT_IN]);
	clipped_add(&copy, name, strlen(name));
	if (*name == '\0' || copy.cut)
		place_die(at, "the name of a kind of recomputation has 1 to %d characters '%s'", NAME_LONGEST, name);
	recompute_names[n] = copy.at;
	return n;
}

void
recompute_forget(void)
{
	for (int k = RECOMPUTE_BUILT_IN; k < RECOMPUTE_KINDS; k++)
		recompute_names[k] = NULL;
}
