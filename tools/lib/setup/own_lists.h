/*
 * Arguments that frameworks add to Megatron-LM's: their own schedules, and layers listed by stage, by number and by
 * piece.
 */
#ifndef OWN_LISTS_H
#define OWN_LISTS_H

#include "lib/base/table.h"
#include "lib/record/recompute.h"
#include "lib/schedule/schedule.h"
#include "launch.h"

/*
 * Return the framework's name for a schedule that its own runtime runs. Return NULL if Megatron-LM's runtime runs the
 * schedule.
 */
const char *own_schedule_word(enum schedule_kind);
/*
 * Return whether the run has a zero-bubble schedule in V shape, with two chunks per stage. Its runtime is that of
 * sail-sg/zero-bubble-pipeline-parallelism; in a YAML, patch_zero_bubble chooses it.
 */
bool own_v(const struct launch *);
/*
 * Return the schedule that arguments choose for the stages and chunks of Q. If they choose none, return the schedule of
 * Q. Exit if the schedule is unknown, or needs another number of chunks per stage.
 */
enum schedule_kind own_schedule(const struct launch *, const struct shape *q);

/*
 * Read decoder_pipeline_manual_split_list into [chunk][stage]. The list is by stage, or for schedules that go forth and
 * back, in data order. Exit unless it has LAYERS layers in total and no piece is empty.
 */
struct grid split_list_read(const struct launch *, int stages, int layers);
/* Return the list as text. Caller frees. */
char *split_list_text(struct grid, enum schedule_kind);

/* Read recompute_layer_ids. Return the kind of each of LAYERS layers, in data order. Caller frees. */
int *layer_ids_read(const struct launch *, int layers);
/* Return the list as text, such as "0,3,4" (caller frees), or NULL if no layer is recomputed. */
char *layer_ids_text(const int *kind, int layers);

/*
 * Read the lists by stage and micro-batch. Each list has a number of stages, then pairs: a number of micro-batches, and
 * their number of recomputed layers. Return the number of layers, from the first of each piece on, that are recomputed,
 * [chunk][stage]. LAYERS: number of layers of each piece. *MICRO: number of micro-batches, which all lists must have;
 * if 0, it is set from them. Exit if the lists contradict each other.
 */
struct grid piece_lists_read(const struct launch *, struct grid layers, int *micro);
/* Return the lists for MICRO micro-batches as words of an argument. Caller frees. */
char *piece_lists_text(struct grid recomputed, int micro);

#endif
