/* Timeline: one file from its first byte to the times of its layers. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "sapp-trace/layer/hint.h"
#include "sapp-trace/pipeline/operations.h"
#include "sapp-trace/graph/kernel.h"
#include "sapp-trace/graph/scope.h"
#include "sapp-trace/device/answers.h"
#include "sapp-trace/host/recording.h"
#include "sapp-trace/read/pairs.h"

struct timeline {
	const struct question *question;
	struct scan scan;
	struct processes processes;
	struct instances instances;
	struct scopes scopes;
	struct kernels kernels;
	struct steps steps;
	struct tally tally;
	struct recording recording;
	struct hints hints;
	struct operations *operations;	/* of all timelines */
	long backwards;			/* events that end before they begin, by so many ns at most */
	int64_t most_backwards;
	struct pairs pairs;
};

/*
 * Read the timeline whose scan is open and add it to the answers. False, with what was looked for and what is
 * there in *WHY (to be freed), when it holds no layer; exits on anything that is not a timeline. ALONE: there is no
 * table of the same kernels, which tells more of those without names.
 */
bool timeline_read(struct timeline *, struct answers *, bool alone, char **why);
/* Close the scan, too. */
void timeline_free(struct timeline *);

#endif
