/* Timeline: one file from its first byte to the times of its layers. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "sapp-trace/layer/hint.h"
#include "sapp-trace/graph/kernel.h"
#include "sapp-trace/graph/scope.h"
#include "sapp-trace/time/timing.h"

struct timeline {
	const struct classes *classes;
	struct scan scan;
	struct processes processes;
	struct instances instances;
	struct scopes scopes;
	struct kernels kernels;
	struct steps steps;
	struct tally tally;
	struct hints hints;
};

/*
 * Read the timeline whose scan is open and add it to the timings. False, with what was looked for and what is
 * there in *WHY (to be freed), when it holds no layer; exits on anything that is not a timeline.
 */
bool timeline_read(struct timeline *, struct step_range, struct timings *, char **why);
/* Close the scan, too. */
void timeline_free(struct timeline *);

#endif
