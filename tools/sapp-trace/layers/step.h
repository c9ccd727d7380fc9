/* Training steps of a timeline, and the counted ones. */
#ifndef STEP_H
#define STEP_H

#include "sapp-trace/read/process.h"

struct step_mark {		/* an event that spans a step */
	int process;
	long number;
	int64_t start, end;	/* ns */
};

struct steps {
	size_t nmarks;
	struct step_mark *mark;
	/* Set by steps_resolve(): */
	int n;
	int64_t *begin;		/* [n]: ns, ascending */
	int64_t end;		/* of the last one */
	bool open;		/* found by an operation within each step */
	int64_t *after;		/* [n]: end of the last backward before that operation */
	bool endless;		/* time outside all steps belongs to the first and the last */
	const char *how;	/* how they were found */
};

struct step_range {		/* range of -steps */
	bool given, all;
	int from, to;		/* from 0, inclusive */
};

enum { UNSTEADY_STEPS = 2, STEADY_MINIMUM = 4, MAX_STEPS = 1000000 };

/* Take an event that may span a step. */
bool step_event(struct steps *, const struct event *, int process, const struct scan *);
/* Find the steps after reading the whole timeline; without any, n == 1 and how == NULL. */
void steps_resolve(struct steps *, const struct processes *);
/*
 * If an operation within each step marks it: report each backward with steps_backward(), then move the starts behind
 * the previous step's last backward with steps_refine().
 */
void steps_backward(struct steps *, int64_t start, int64_t end);
void steps_refine(struct steps *);
/* Return the ns from the start of a step to the next; 0 if unknown. */
int64_t steps_length(const struct steps *, int step);
/* Return the step at a time; -1 if it is outside all steps. */
int step_at(const struct steps *, int64_t ns);
void steps_free(struct steps *);

#endif
