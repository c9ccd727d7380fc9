/* Blocks: the operations of a simulated step, one by one. */
#ifndef BLOCK_H
#define BLOCK_H

#include <stdio.h>

#include "run.h"

/* Call EACH for the blocks of every stage, in the order in which the stage runs them. */
void blocks_each(const struct run *, void (*each)(const struct block *, void *), void *with);
/* As block records. */
void blocks_put(FILE *, const struct run *);

#endif
