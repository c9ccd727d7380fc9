/* Usage records: what of a device's memory lies beyond what is allocated, and what is allocated before a step. */
#ifndef USAGES_H
#define USAGES_H

#include "coefficients.h"
#include "lib/record/observed.h"
#include "lib/strategy/inputs.h"
#include "lib/strategy/measured.h"

struct usages {
	size_t n;
	/* The most of each run and stage, and the least that is allocated; no texts but the run's. */
	struct observed_usage *at;
};

void usages_take(struct usages *, const struct observed_usage *);
/*
 * The most that any of them has beyond, and of the runs that are known beyond what is computed of parameters, gradients
 * and optimizer; where that is far off it is said. They are free then.
 */
void usages_apply(struct usages *, struct measured *, const struct coefficients *, const struct inputs *);

#endif
