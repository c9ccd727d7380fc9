/* Settings: the lists of a training YAML, and their conversion to layer counts. See sapp(7). */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "lib/base/place.h"
#include "lib/base/table.h"
#include "lib/record/recompute.h"
#include "yaml.h"

struct settings {		/* all [chunk][stage] */
	struct grid offset;	/* layers minus floor(L / (P V)) */
	struct grid recompute, select_recompute, select_comm_recompute;
};

/*
 * Return the layers of every piece: floor(L / (P V)) + offset. Exits, naming AT, if offsets do not sum to the remainder
 * or a piece is negative.
 */
struct grid settings_layers(const struct settings *, int layers, struct place at);
/*
 * Convert the overlapping lists to disjoint counts per kind. Exits, naming AT, chunk and stage, if a count is negative.
 */
void settings_to_counts(const struct settings *, int layers, struct grid kind[RECOMPUTE_KINDS],
    struct place at);
/*
 * Convert counts to lists; a kind with chunks == 0 counts as zero. Lists overlap from the first layer on, so a select
 * layer and a comm layer in one piece become one layer with both.
 */
struct settings settings_from_counts(const struct grid kind[RECOMPUTE_KINDS], int layers);

/*
 * Distribute the counts of pieces over BODIES bodies, which follow each other in the model with LAYERS[b] layers each.
 * Data visit the pieces in ORDER (NULL: by number); kinds within a piece follow FIRST, as in recompute_costly_first.
 * OUT[b][k] remains empty if body b has no layer of kind k.
 */
void settings_deal(const struct grid kind[RECOMPUTE_KINDS], const enum recompute first[RECOMPUTE_KINDS],
    const int order[], int bodies, const int layers[], struct grid out[][RECOMPUTE_KINDS]);

/*
 * Read one list of a YAML: 0 or false (none), true (all layers, from *LAYERS), a list per stage, or a list of one such
 * value per chunk. NODE NULL: none. LAYERS NULL: the list has offsets, which may be negative but not true. Exits unless
 * it has CHUNKS x STAGES entries.
 */
struct grid settings_list(const struct yaml *node, const char *key, int chunks, int stages,
    const struct grid *layers);
void settings_free(struct settings *);

/* Format a list as in a training YAML: "[1, 0]" for one chunk, "[[1, 0], [0, 0]]" for several; caller frees. */
char *settings_text(struct grid);

#endif
