/*
 * Blocks of a job of two chunks that go forth and back: where the operations of a micro-batch are in slots of equal
 * length, the next one's a period later (Qi et al., arXiv 2405.15362). Private to the files that make orders.
 */
#ifndef JOB_BLOCKS_H
#define JOB_BLOCKS_H

#include "job.h"

enum { QUEUES = 4 };

struct vblock {
	uint8_t step[QUEUES];	/* slots from a stage to the next one of F0, F1, B1, B0 */
	uint8_t turn[3];	/* from F0 to F1 on the last stage, to B1 on the first, to B0 on the last */
	int length;		/* slots */
	double time[RUNGS];	/* of a step with it, for who lists them */
};

struct vblocks {
	int n;
	struct vblock *at;
};

/* The N shortest that collide on no stage and hold no more than the limits; to be freed. */
struct vblocks job_blocks(const struct job *, int n);
/* When operations begin, [stage][queue][micro] slots, and the order in which they do, W in slots that are free. */
void job_block_lay(const struct job *, const struct vblock *, double *slot, struct schedule *);

#endif
