/* Training steps of a timeline, and which of them are counted. */
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
	/* From here on set by steps_resolve(). */
	int n;
	int64_t *begin;		/* [n]: ns, ascending */
	int64_t end;		/* of the last one */
	bool open;		/* told by an operation somewhere within each step */
	int64_t *after;		/* [n]: end of the last backward before that operation */
	bool endless;		/* what lies outside all steps belongs to the first and the last */
	const char *how;	/* what they were told by */
};

struct step_range {		/* what -steps asks for */
	bool given, all;
	int from, to;		/* from 0, both included */
};

enum { UNSTEADY_STEPS = 2, STEADY_MINIMUM = 4, MAX_STEPS = 1000000 };

/* Look at an event that may span a step. */
bool step_event(struct steps *, const struct event *, int process, const struct scan *);
/* Find the steps once the whole timeline was read; without any there is one, n == 1, how == NULL. */
void steps_resolve(struct steps *, const struct processes *);
/* An operation stands somewhere after the beginning of its step, and behind the backward of the one before:
 * tell of each backward with steps_backward(), then let steps_refine() move the beginnings. */
void steps_backward(struct steps *, int64_t start, int64_t end);
void steps_refine(struct steps *);
/* ns from the beginning of a step to that of the next; 0: nothing spans it. */
int64_t steps_length(const struct steps *, int step);
/* The step at a time, or -1 outside all. */
int step_at(const struct steps *, int64_t ns);
void steps_free(struct steps *);

#endif
