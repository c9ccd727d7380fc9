/* The Pareto front of estimates in time and memory. */
#ifndef FRONT_H
#define FRONT_H

#include <stdbool.h>
#include <stddef.h>

/* An estimate and its candidate, as read. */
struct kept_candidate {
	char *candidate, *estimate;	/* candidate NULL: none preceded it */
	double step_time;		/* ms */
	double memory;			/* MB, on the worst stage */
};
void kept_free(struct kept_candidate *);

struct top_front {
	size_t n;
	struct kept_candidate *at;
};

/* Return whether an estimate of this time and memory would be on the front; equal ones are not. */
bool front_has_room(const struct top_front *, double step_time, double memory);
/* Add an estimate that belongs on the front; drop those it dominates. */
void front_add(struct top_front *, struct kept_candidate);
void front_sort(struct top_front *);	/* by step time */
void front_free(struct top_front *);

#endif
