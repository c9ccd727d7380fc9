/* Stage contents: all contents that the chunks of a stage can hold together, one after the other. */
#ifndef STAGE_CONTENTS_H
#define STAGE_CONTENTS_H

#include "sapp-lp/model/problem.h"

/*
 * Whether to go on from CONTENT[chunks] of the first CHUNKS; with all chunks, whether they are kept. Where it says no,
 * it must say no with more layers in any of them, too.
 */
typedef bool keep_contents(void *with, int stage, const int *content, int chunks);

/* Call KEEP for all that are in the model's order. False: TRIES were too few, or DEADLINE (s of clock.h) came first. */
bool stage_contents_each(const struct problem *, int stage, long tries, double deadline, keep_contents *keep,
    void *with);

#endif
