/* Usage records: what of a device's memory lies beyond what is allocated. */
#ifndef USAGES_H
#define USAGES_H

#include "lib/record/observed.h"
#include "lib/strategy/measured.h"

struct usages {
	size_t n;
	struct observed_usage *at;	/* the most of each run and stage; no texts but the run's */
};

void usages_take(struct usages *, const struct observed_usage *);
/* The most that any of them has beyond; they are free then. */
void usages_apply(struct usages *, struct measured *);

#endif
