/*
 * Rank lines: operations of a pipeline as ranks print them, a line each: Echo's
 * "rank:3:forward_step(stage_id=1,batch_id=0,...,duration=4.1,...,timestamp=17.2,...)", and PipeMorph's
 * "[RANK0] Iteration 3" and "[RANK0] F @ 100.2 (ms) to 125.8 (ms)".
 */
#ifndef RANK_LINES_H
#define RANK_LINES_H

#include "operations.h"

/* Take a line of N bytes; false: it is something else. Exits when it is of that kind, but without its figures. */
bool rank_line(struct operations *, const char *text, size_t n, const struct scan *, struct place at);
/*
 * All lines are read: the stage of each rank, one after the other where the lines do not say, of STAGES (0: as many as
 * ranks); whether its times are those when operations began or ended. Exits when ranks cannot be divided by stages.
 */
void rank_lines_end(struct operations *, int stages);

#endif
