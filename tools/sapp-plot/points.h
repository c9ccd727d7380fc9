/* Points: what was answered to each question of a sweep, and what configurations are estimated to take. */
#ifndef POINTS_H
#define POINTS_H

#include "lib/record/record.h"

struct point {
	char *model;		/* whose layers they are; empty: unknown */
	char *name;		/* of the plan */
	int stages, micro_batches, interleave, schedule;	/* the line it belongs to */
	double limit;		/* MB */
	double time, bound;	/* ms; 0: unknown */
	double excess;		/* MB by which limits must be raised where there is no plan */
	bool none;		/* there is no plan */
};

struct points {
	size_t n;
	struct point *at;	/* by line, then by limit */
	struct records estimates;
	struct place end;	/* of an input that has nothing of what is looked for */
};

/* All plans and estimates of the stream. */
struct points points_read(char *const operands[]);
void points_free(struct points *);
/* Do A and B differ in memory alone? */
bool points_same_line(const struct point *a, const struct point *b);

/* What the lines differ in. */
struct varies {
	bool model, stages, micro_batches;
};

struct varies points_vary(const struct points *);
/* "vpp, 2 chunks", with what varies; to be freed. */
char *points_line_name(const struct point *, const struct varies *);

#endif
