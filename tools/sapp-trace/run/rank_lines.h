/*
 * Rank lines: operations of a pipeline printed by ranks, one per line: Echo's
 * "rank:3:forward_step(stage_id=1,batch_id=0,...,duration=4.1,...,timestamp=17.2,...)", and PipeMorph's "[RANK0]
 * Iteration 3" and "[RANK0] F @ 100.2 (ms) to 125.8 (ms)".
 */
#ifndef RANK_LINES_H
#define RANK_LINES_H

#include "operations.h"

/*
 * Read a line of N bytes. Return false if it is another kind of line. Exits on a line of an operation without figures.
 */
bool rank_line(struct operations *, const char *text, size_t n, const struct scan *, struct place at);
/*
 * After the last line: set the stage of each rank, consecutive unless given, of STAGES (0: number of ranks), and
 * whether times are starts or ends. Exits if stages do not divide the ranks.
 */
void rank_lines_end(struct operations *, int stages);

#endif
