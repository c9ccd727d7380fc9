/* Scheduler: the words of pipeline_scheduler in MindSpore, and the schedules that they are. */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include "lib/base/place.h"
#include "lib/schedule/schedule.h"

/* The run's environment says so for the less-memory order of interleaving. */
#define SCHEDULER_LESS "ENABLE_LESS_MEM_VPP"

/* The word for a schedule that MindSpore has. */
const char *scheduler_word(const struct shape *);
/* Does it take pipeline_interleave? */
bool scheduler_interleaves(const struct shape *);
/* Does this word, with so many parts of a sequence, mean the schedule? The environment aside. */
bool scheduler_means(const char *word, int splits, const struct shape *);
/*
 * The schedule of a WORD (NULL: none given) for CHUNKS chunks a stage and sequences in SPLITS parts, of the shape's
 * stages and micro-batches (0: not known); exits naming AT when there is none. LESS: the environment asks for less
 * memory.
 */
void scheduler_read(struct shape *, const char *word, int chunks, int splits, bool less, struct place at);

#endif
