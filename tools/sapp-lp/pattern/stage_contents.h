/* Stage contents: enumerate all combinations of contents of a stage's chunks. */
#ifndef STAGE_CONTENTS_H
#define STAGE_CONTENTS_H

#include "sapp-lp/model/problem.h"

/*
 * Return whether to extend CONTENT[chunks], the contents of the first CHUNKS chunks. When all chunks have contents,
 * return whether to keep them. If the result is false, it must also be false with more layers in any chunk.
 */
typedef bool keep_contents(void *with, int stage, const int *content, int chunks);

/*
 * Call KEEP for all combinations of contents in model order. Return false if TRIES are used up, or at DEADLINE (s of
 * clock_now()).
 */
bool stage_contents_each(const struct problem *, int stage, long tries, double deadline, keep_contents *keep,
    void *with);

#endif
