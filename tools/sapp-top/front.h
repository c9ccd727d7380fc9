/* The Pareto front of estimates in time and memory. */
#ifndef FRONT_H
#define FRONT_H

#include <stdbool.h>
#include <stddef.h>

/* An estimate and its candidate, as read. */
struct kept {
	char *candidate, *estimate;	/* candidate NULL: none preceded it */
	double step_time;		/* ms */
	double memory;			/* MB, on the worst stage */
};
void kept_free(struct kept *);

struct front {
	size_t n;
	struct kept *at;
};

/* Return whether an estimate of this time and memory would be on the front; equal ones are not. */
bool front_has_room(const struct front *, double step_time, double memory);
/* Add an estimate that belongs on the front; drop those it dominates. */
void front_add(struct front *, struct kept);
void front_sort(struct front *);	/* by step time */
void front_free(struct front *);

#endif
