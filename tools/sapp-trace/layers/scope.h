/* The scope track: each event is a run of consecutive kernels under one component of their paths. */
#ifndef SCOPE_H
#define SCOPE_H

#include <stdio.h>

#include "class.h"
#include "pass.h"
#include "tally.h"

struct scope_event {
	int64_t start, end;	/* ns */
	int instance;
	int depth;
};

struct window {			/* an event of depth 0: activity of the device */
	int64_t start, end;
	int process;
	enum timing_phase phase;
};

struct scopes {
	size_t n;
	struct scope_event *at;
	FILE *spill;		/* events that exceed the memory limit */
	uint64_t spilled;
	size_t nwindows;
	struct window *window;
};

/* Get the phase that a root component names. Return false if it names none. */
bool scope_phase(struct text root, enum timing_phase *);
/* Keep an event that is a window, or the scope of a class. */
void scope_event(struct scopes *, const struct classes *, struct instances *, struct processes *,
    const struct event *, int process, const struct scan *);
/*
 * Compute the time of the layers on the scope track, by phase and step. PASSES: sorted, or NULL. Return false if no
 * layers exist.
 */
bool scopes_tally(struct scopes *, const struct classes *, const struct instances *, const struct processes *,
    const struct passes *, struct steps *, struct step_tally *);
void scopes_free(struct scopes *);

#endif
