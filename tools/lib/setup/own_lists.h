/* Own lists: arguments of frameworks beyond Megatron-LM's: own schedules, layers by list, by number and by piece. */
#ifndef OWN_LISTS_H
#define OWN_LISTS_H

#include "lib/base/table.h"
#include "lib/record/recompute.h"
#include "lib/schedule/schedule.h"
#include "launch.h"

/* Return the framework's name of a schedule that its own runtime runs, or NULL if Megatron-LM's runtime runs it. */
const char *own_schedule_word(enum schedule_kind);
/*
 * Return whether the run has a zero-bubble schedule in V shape, with two chunks per stage, in the runtime of
 * sail-sg/zero-bubble-pipeline-parallelism, which Primus has too (patch_zero_bubble).
 */
bool own_v(const struct launch *);
/*
 * Return the requested schedule of Q's stages and chunks, or Q's own if Megatron-LM decides. Exits if the schedule
 * requires another number of chunks per stage, or is unknown.
 */
enum schedule_kind own_schedule(const struct launch *, const struct shape *q);

/*
 * Read decoder_pipeline_manual_split_list into [chunk][stage]: by stage, or in data order for schedules forth and back.
 * Exits unless it has LAYERS in total and none of the pieces is empty.
 */
struct grid split_list_read(const struct launch *, int stages, int layers);
/* Return the list as text; caller frees. */
char *split_list_text(struct grid, enum schedule_kind);

/* Read recompute_layer_ids: the kind of each of LAYERS layers in data order; caller frees. */
int *layer_ids_read(const struct launch *, int layers);
/* Return the list as text, "0,3,4" (caller frees), or NULL if no layer is recomputed. */
char *layer_ids_text(const int *kind, int layers);

/*
 * Read lists by stage and micro-batch: a number of stages, then pairs of a number of micro-batches and their layers.
 * Return the number of recomputed first layers of each piece, [chunk][stage], of LAYERS layers. *MICRO: number of
 * micro-batches in the lists; must match unless 0. Exits if the lists are contradictory.
 */
struct grid piece_lists_read(const struct launch *, struct grid layers, int *micro);
/* Return the lists for MICRO micro-batches as words of an argument; caller frees. */
char *piece_lists_text(struct grid recomputed, int micro);

#endif
