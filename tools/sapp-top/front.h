/* The Pareto front of estimates: those of which no other is both shorter and smaller. */
#ifndef FRONT_H
#define FRONT_H

#include <stdbool.h>
#include <stddef.h>

/* An estimate with its candidate, as they were read. */
struct kept {
	char *candidate, *estimate;	/* candidate NULL: none before it */
	double step_time;		/* ms */
	double memory;			/* MB, of the worst stage */
};
void kept_free(struct kept *);

struct front {
	size_t n;
	struct kept *at;
};

/* Would one of this time and memory be on it?  One that is equal to another in both is not. */
bool front_has_room(const struct front *, double step_time, double memory);
/* Add one that has room; those that it beats go. */
void front_add(struct front *, struct kept);
void front_sort(struct front *);	/* by step time */
void front_free(struct front *);

#endif
