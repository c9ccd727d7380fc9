/* Training steps of a timeline. */
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
	/* The members below are set by steps_resolve(). */
	int n;
	int64_t *begin;		/* [n], ns, start of each step, ascending */
	int64_t end;		/* ns, end of the last step */
	bool open;		/* whether steps are marked by an operation within each step */
	int64_t *after;		/* [n], ns, end of the last backward before this operation */
	bool endless;		/* whether the first and the last step include the time outside of all steps */
	const char *how;	/* description of how the steps were found; NULL: not found */
};

struct step_range {		/* the range of -steps */
	bool given, all;
	int from, to;		/* first and last step, from 0 */
};

enum { UNSTEADY_STEPS = 2, STEADY_MINIMUM = 4, MAX_STEPS = 1000000 };

/* Keep an event if it may span a step. */
bool step_event(struct steps *, const struct event *, int process, const struct scan *);
/* Find the steps when the whole timeline is read. If none are found, n is 1 and how is NULL. */
void steps_resolve(struct steps *, const struct processes *);
/*
 * For steps marked by an operation within each step: report each backward with steps_backward(). Then steps_refine()
 * moves the start of each step to the end of the previous step's last backward.
 */
void steps_backward(struct steps *, int64_t start, int64_t end);
void steps_refine(struct steps *);
/* Return the time from the start of a step to the start of the next, ns; 0 if unknown. */
int64_t steps_length(const struct steps *, int step);
/* Return the step at a time; -1: outside of all steps. */
int step_at(const struct steps *, int64_t ns);
void steps_free(struct steps *);

#endif
