/* Primus: settings beyond Megatron-LM's arguments: own schedules, layers by list and by number. */
#ifndef PRIMUS_H
#define PRIMUS_H

#include "lib/record/recompute.h"
#include "lib/schedule/schedule.h"
#include "launch.h"

/* Return its name of a schedule of its own runtime; NULL: Megatron-LM's runtime runs it. */
const char *primus_word(enum schedule_kind);
/*
 * Return the requested schedule, or OTHERWISE if Megatron-LM decides. Exits if it requires another number of CHUNKS per
 * stage, or is unknown.
 */
enum schedule_kind primus_schedule(const struct launch *, int chunks, enum schedule_kind otherwise);

/*
 * Read decoder_pipeline_manual_split_list into [chunk][stage]: by stage, or in data order for schedules forth and back.
 * Exits unless it has LAYERS in total and none of the pieces is empty.
 */
struct grid primus_split(const struct launch *, int stages, int layers);
/* Return the list as text; caller frees. */
char *primus_split_text(struct grid, enum schedule_kind);

/* Read recompute_layer_ids: the kind of each of LAYERS layers in data order; caller frees. */
int *primus_layers(const struct launch *, int layers);
/* Return the list as text, "0,3,4"; NULL: no layer is recomputed. Caller frees. */
char *primus_layers_text(const int *kind, int layers);

#endif
