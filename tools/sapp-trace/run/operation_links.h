/* Operation links: the times of transfers between the stages, from a timeline of operations. */
#ifndef OPERATION_LINKS_H
#define OPERATION_LINKS_H

#include "lib/base/table.h"
#include "operation_steps.h"

struct operation_links {
	struct list time;	/* ms by boundary, as comm_time; n = 0: unknown, 1: equal for all */
	int transfers;		/* enum transfer_mode */
	/*
	 * ms that the sender of a forward, and of a backward, needs before each transfer, by boundary; n = 0: none, or
	 * unknown
	 */
	struct list send[2];
	double post;		/* ms that a stage needs to start a transfer; 0: none, or unknown */
	/* number of boundaries without waiting or without transfers; they get the time of the others */
	int unknown;
	double early;		/* fraction of the transfers' time that lies before the data were computed */
	bool slow;		/* whether a boundary takes more than twice the median */
};

/* Return the mean over N steps. PIPELINE: index, or -1 for all pipelines. */
struct operation_links operation_links(const struct operation_steps *, const struct operation_step *, int n,
    int pipeline);
/* Warn about slow links, and about links with unknown time. */
void operation_links_warn(const struct operation_steps *);

#endif
