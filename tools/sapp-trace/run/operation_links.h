/* The links between the stages of a timeline of operations: times of their transfers. */
#ifndef OPERATION_LINKS_H
#define OPERATION_LINKS_H

#include "lib/base/table.h"
#include "operation_steps.h"

struct operation_links {
	struct list time;	/* ms by boundary, as comm_time; n = 0: unknown, 1: equal */
	int transfers;		/* enum transfer_mode */
	/* ms that senders of forwards and backwards need first, by boundary; n = 0: none, or undetermined */
	struct list send[2];
	double post;		/* ms a stage needs to start a transfer; 0: none, or undetermined */
	int unknown;		/* boundaries without waiting or transfers, which get the others' time */
	double early;		/* fraction of transfer time before the data were computed */
	bool slow;		/* a boundary takes more than twice the median */
};

/* Average over N steps; PIPELINE -1: all. */
struct operation_links operation_links(const struct operation_steps *, const struct operation_step *, int n,
    int pipeline);
/* Warn about slow links and unknown ones. */
void operation_links_warn(const struct operation_steps *);

#endif
