/* Conversion between the values of MindSpore's pipeline_scheduler and schedules. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "lib/base/place.h"
#include "lib/schedule/schedule.h"

/* Environment variable that selects the interleaved order with less memory. */
#define SCHEDULER_LESS "ENABLE_LESS_MEM_VPP"

/* Return the value for a schedule that MindSpore has. */
const char *scheduler_word(const struct shape *);
/* Return whether the schedule needs pipeline_interleave. */
bool scheduler_interleaves(const struct shape *);
/* Return whether the value WORD, with SPLITS parts per sequence, means the schedule. The environment is ignored. */
bool scheduler_means(const char *word, int splits, const struct shape *);
/*
 * Set the schedule of a shape from WORD; NULL: unset. CHUNKS: number per stage; SPLITS: number of parts per sequence.
 * Stages and micro-batches (0: unknown) of the shape must be set. LESS: the environment selects less memory. Exit,
 * naming AT, if this is invalid.
 */
void scheduler_read(struct shape *, const char *word, int chunks, int splits, bool less, struct place at);

#endif
