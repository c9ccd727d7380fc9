/* Points: the answers to the questions of a sweep, and estimates of configurations. */
#ifndef POINTS_H
#define POINTS_H

#include "lib/record/record.h"

struct point {
	char *model;		/* name of the model whose layers are planned; empty: unknown */
	char *name;		/* name of the plan */
	int stages, micro_batches, interleave, schedule;	/* members that determine the point's line */
	double limit;		/* MB */
	double time, bound;	/* ms; 0: unknown */
	double excess;		/* MB by which limits must rise, if no plan fits */
	bool none;		/* whether no plan exists */
};

struct points {
	size_t n;
	struct point *at;	/* sorted by line, then by limit */
	struct records estimates;
	struct place end;	/* place at the end of an input without plans or estimates */
};

/* Read all plans and estimates of the stream. */
struct points points_read(char *const operands[]);
void points_free(struct points *);
/* Return whether A and B differ only in memory. */
bool points_same_line(const struct point *a, const struct point *b);

/* Whether each member differs between lines. */
struct varies {
	bool model, stages, micro_batches;
};

struct varies points_vary(const struct points *);
/* Return the name of a line, "vpp, 2 chunks", made of the members that differ; caller frees. */
char *points_line_name(const struct point *, const struct varies *);

#endif
