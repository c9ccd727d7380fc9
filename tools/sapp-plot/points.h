/* Points: the answers to the questions of a sweep, and estimates of configurations. */
#ifndef POINTS_H
#define POINTS_H

#include "lib/record/record.h"

struct point {
	char *model;		/* model of the layers; empty: unknown */
	char *name;		/* of the plan */
	int stages, micro_batches, interleave, schedule;	/* identify its line */
	double limit;		/* MB */
	double time, bound;	/* ms; 0: unknown */
	double excess;		/* MB by which limits must rise, if there is no plan */
	bool none;		/* no plan exists */
};

struct points {
	size_t n;
	struct point *at;	/* sorted by line, then by limit */
	struct records estimates;
	struct place end;	/* end of an input without plans or estimates */
};

/* Read all plans and estimates of the stream. */
struct points points_read(char *const operands[]);
void points_free(struct points *);
/* Return whether A and B differ only in memory. */
bool points_same_line(const struct point *a, const struct point *b);

/* Members that differ between lines. */
struct varies {
	bool model, stages, micro_batches;
};

struct varies points_vary(const struct points *);
/* Return "vpp, 2 chunks" with the varying members; caller frees. */
char *points_line_name(const struct point *, const struct varies *);

#endif
