/* Primus: what its settings have beyond Megatron-LM's arguments: its own orders, layers by list and by number. */
#ifndef PRIMUS_H
#define PRIMUS_H

#include "lib/record/recompute.h"
#include "lib/schedule/schedule.h"
#include "launch.h"

/* Its word for an order of its own runtime; NULL: Megatron-LM's runs it. */
const char *primus_word(enum schedule_kind);
/*
 * The order that is asked for, OTHERWISE where that is left to Megatron-LM. Exits where it takes another number of
 * CHUNKS a stage, or is not known here.
 */
enum schedule_kind primus_schedule(const struct launch *, int chunks, enum schedule_kind otherwise);

/*
 * decoder_pipeline_manual_split_list, [chunk][stage]: stage by stage, or in the order of the data where that goes forth
 * and back. Exits unless it has LAYERS in all, and some in every piece.
 */
struct grid primus_split(const struct launch *, int stages, int layers);
/* The same written; to be freed. */
char *primus_split_text(struct grid, enum schedule_kind);

/* recompute_layer_ids: the kind of each of LAYERS layers in the order of the data; to be freed. */
int *primus_layers(const struct launch *, int layers);
/* The same written, "0,3,4"; NULL: no layer is recomputed. To be freed. */
char *primus_layers_text(const int *kind, int layers);

#endif
