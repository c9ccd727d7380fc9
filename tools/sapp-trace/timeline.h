/* Timeline: process one file, from reading to the times of its layers. */
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
	struct operations *operations;	/* of all timelines */
	long backwards;			/* events that end before they begin; maximum in ns */
	int64_t most_backwards;
	struct pairs pairs;
};

/*
 * Read the timeline of the open scan and add it to the answers. False, with a description in *WHY (caller frees), if it
 * has no layers; exits on anything but a timeline. ALONE: no table of the same kernels exists; for kernels without
 * layer names the table is the better source.
 */
bool timeline_read(struct timeline *, struct answers *, bool alone, char **why);
/* Also closes the scan. */
void timeline_free(struct timeline *);

#endif
