/* Timeline: one file, from reading it to the times of its layers. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "sapp-trace/layers/hint.h"
#include "sapp-trace/layers/kernel.h"
#include "sapp-trace/layers/recording.h"
#include "sapp-trace/layers/scope.h"
#include "sapp-trace/read/pairs.h"
#include "sapp-trace/run/answers.h"
#include "sapp-trace/run/operations.h"

struct timeline {
	const struct trace_question *question;
	struct scan scan;
	struct processes processes;
	struct instances instances;
	struct scopes scopes;
	struct kernels kernels;
	struct steps steps;
	struct step_tally tally;
	struct recording recording;
	struct hints hints;
	struct operations *operations;	/* operations of all timelines */
	long backwards;			/* number of events that end before they begin; maximum difference in ns */
	int64_t most_backwards;
	struct pairs pairs;
};

/*
 * Read the timeline of the open scan, and add it to the answers. Return false if it has no layers, with a description
 * in *WHY (caller frees). Exits if the file is not a timeline. ALONE: no table has the same kernels. For kernels
 * without names of layers a table is the better source.
 */
bool timeline_read(struct timeline *, struct answers *, bool alone, char **why);
/* Free the timeline, and close the scan. */
void timeline_free(struct timeline *);

#endif
