/* Stage contents: all contents that the chunks of a stage can hold together, one after the other. */
#ifndef STAGE_CONTENTS_H
#define STAGE_CONTENTS_H

#include "sapp-lp/model/problem.h"

/*
 * Whether the first CHUNKS of CONTENT are worth going on with; with all of them, whether they are kept. What it says no
 * to stays so with more layers.
 */
typedef bool keep_contents(void *with, int stage, const int *content, int chunks);

/*
 * Call KEEP for all that stand in the model's order. False when it takes more than TRIES, or DEADLINE (s of clock.h)
 * comes first.
 */
bool stage_contents_each(const struct problem *, int stage, long tries, double deadline, keep_contents *keep,
    void *with);

#endif
