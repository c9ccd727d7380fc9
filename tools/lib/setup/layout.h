/* Layout: Megatron-LM's --pipeline-model-parallel-layout. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "lib/base/place.h"
#include "lib/field/table.h"

/*
 * Pieces in the order of the data: E embedding, t layer, m layer that predicts further tokens, L loss; '|' divides
 * them, x*n and (..)*n repeat, a comma means nothing; or a list of lists of 'embedding', 'decoder', 'mtp' and 'loss',
 * one for each piece. LAYERS and EXTRA [chunk][stage] become the numbers of t and m.
 * Exits naming AT when it is none for so many stages.
 */
void layout_read(const char *text, int stages, struct grid *layers, struct grid *extra, struct place at);
/* The same written, short; to be freed. */
char *layout_write(struct grid layers, struct grid extra);

#endif
