/* The links between the stages of a timeline of operations: what a transfer over each of them takes. */
#ifndef OPERATION_LINKS_H
#define OPERATION_LINKS_H

#include "lib/field/table.h"
#include "operation_steps.h"

struct operation_links {
	struct list time;	/* ms, by boundary as comm_time has it; n = 0: not known, 1: all alike */
	int transfers;		/* enum transfer_mode */
	/* ms that senders of forwards and of backwards need first, by boundary; n = 0: none, or not told apart */
	struct list send[2];
	double post;		/* ms that a stage needs to begin a transfer; 0: none, or not told apart */
	int unknown;		/* boundaries that nobody waited for, or that have no transfer: what the others say */
	double early;		/* of the time of transfers: before their data were made */
	bool slow;		/* a boundary takes more than twice the median */
};

/* Over N steps; PIPELINE -1: all. */
struct operation_links operation_links(const struct operation_steps *, const struct operation_step *, int n,
    int pipeline);
/* Warnings: links that are slow, and those that are not known. */
void operation_links_warn(const struct operation_steps *);

#endif
