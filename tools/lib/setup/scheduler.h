/* Map the values of MindSpore's pipeline_scheduler to schedules. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "lib/base/place.h"
#include "lib/schedule/schedule.h"

/* Environment variable that selects the less-memory order of interleaving. */
#define SCHEDULER_LESS "ENABLE_LESS_MEM_VPP"

/* Return the value for a schedule of MindSpore. */
const char *scheduler_word(const struct shape *);
/* Return whether it requires pipeline_interleave. */
bool scheduler_interleaves(const struct shape *);
/* Return whether this value with SPLITS parts per sequence means the schedule, ignoring the environment. */
bool scheduler_means(const char *word, int splits, const struct shape *);
/*
 * Set the schedule of WORD (NULL: unset) for CHUNKS chunks per stage and SPLITS parts per sequence; the shape has
 * stages and micro-batches (0: unknown). Exits, naming AT, if invalid. LESS: the environment selects less memory.
 */
void scheduler_read(struct shape *, const char *word, int chunks, int splits, bool less, struct place at);

#endif
