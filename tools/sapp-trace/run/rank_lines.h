/*
 * Rank lines: operations of a pipeline that ranks print, one operation per line. Reads Echo's
 * "rank:3:forward_step(stage_id=1,batch_id=0,...,duration=4.1,...,timestamp=17.2,...)", and PipeMorph's "[RANK0]
 * Iteration 3" and "[RANK0] F @ 100.2 (ms) to 125.8 (ms)".
 */
#ifndef RANK_LINES_H
#define RANK_LINES_H

#include "operations.h"

/* Parse a line of N bytes. Return false if it is not an operation. Exits if numbers of the operation are missing. */
bool rank_line(struct operations *, const char *text, size_t n, const struct scan *, struct place at);
/*
 * Finish after the last line. Set the stage of each rank: ranks are divided into STAGES consecutive groups (0: one rank
 * per stage), unless the lines have stages. Decide whether times are starts or ends. Exits if stages do not divide the
 * ranks.
 */
void rank_lines_end(struct operations *, int stages);

#endif
