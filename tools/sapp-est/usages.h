/* Usage records: device memory beyond allocations, and allocations before a step. */
#ifndef USAGES_H
#define USAGES_H

#include "lib/estimate/inputs.h"
#include "lib/estimate/measured.h"
#include "lib/record/observed.h"
#include "coefficients.h"

struct usages {
	size_t n;
	/* Maximum per run and stage, minimum of allocated memory; texts: only the run's. */
	struct observed_usage *at;
};

void usages_take(struct usages *, const struct observed_usage *);
/*
 * Set the maximum memory beyond allocations, and for known runs the maximum above computed parameters, gradients and
 * optimizer state, with a message on large differences. Frees the usages.
 */
void usages_apply(struct usages *, struct measured *, const struct coefficients *, const struct inputs *);

#endif
