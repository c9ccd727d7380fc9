/* Usages: usage records, of device memory beyond allocations and of allocations before a step. */
#ifndef USAGES_H
#define USAGES_H

#include "lib/estimate/inputs.h"
#include "lib/estimate/measured.h"
#include "lib/record/observed.h"
#include "coefficients.h"

struct usages {
	size_t n;
	/*
	 * Per run and stage: the maximum, but of allocated memory the minimum. Of its texts only the name of the run is
	 * used.
	 */
	struct observed_usage *at;
};

void usages_take(struct usages *, const struct observed_usage *);
/*
 * Set the maximum of memory beyond allocations. For known runs, set also the maximum above the computed parameters,
 * gradients and optimizer state, with a message if the difference is large. Frees the usages.
 */
void usages_apply(struct usages *, struct measured *, const struct coefficients *, const struct inputs *);

#endif
