/* Blocks: the operations of a simulated step. */
#ifndef BLOCK_H
#define BLOCK_H

#include <stdio.h>

#include "run.h"

/* Call EACH for every block, stage by stage in the order of execution. */
void blocks_each(const struct sim_run *, void (*each)(const struct block *, void *), void *with);
/* Write the blocks of a run as block records. */
void blocks_put(FILE *, const struct sim_run *);

#endif
