/* Settings: what goes into the training YAML, and its conversion to layer counts. sapp.7. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "lib/base/place.h"
#include "lib/record/recompute.h"
#include "lib/field/table.h"
#include "yaml.h"

struct settings {		/* all [chunk][stage] */
	struct grid offset;	/* layers over floor(L / (P V)) */
	struct grid recompute, select_recompute, select_comm_recompute;
};

/*
 * Layers of every piece: floor(L/(P V)) + offset. Exits naming AT if offsets do not sum up or a piece is
 * negative.
 */
struct grid settings_layers(const struct settings *, int layers, struct place at);
/*
 * The overlapping lists as disjoint counts of each kind; exits naming AT, chunk and stage when a count is
 * negative.
 */
void settings_to_counts(const struct settings *, int layers, struct grid kind[RECOMPUTE_KINDS],
    struct place at);
/*
 * And back; kinds with chunks == 0 count as zero. The lists overlap from the first layer on, so they cannot
 * say that a piece has some layers with select and others with comm: pairs of those come back as both.
 */
struct settings settings_from_counts(const struct grid kind[RECOMPUTE_KINDS], int layers);

/*
 * The layers of pieces by BODIES, which lie one behind the other in the model: body b has LAYERS[b] of them. Data take
 * the pieces in ORDER (NULL: as they are numbered); within a piece kinds of recomputation come in the order of FIRST,
 * as recompute_costly_first is. OUT[b][k] stays without entries where body b has no layer of kind k.
 */
void settings_deal(const struct grid kind[RECOMPUTE_KINDS], const enum recompute first[RECOMPUTE_KINDS],
    const int order[], int bodies, const int layers[], struct grid out[][RECOMPUTE_KINDS]);

/*
 * One list of a YAML: 0 or false (none), true (every layer, from *LAYERS), a list per stage, or a list of
 * one such value per chunk. NODE NULL: none. LAYERS NULL: these are offsets, which may be negative but not
 * true. Exits unless it has CHUNKS x STAGES entries.
 */
struct grid settings_list(const struct yaml *node, const char *key, int chunks, int stages,
    const struct grid *layers);
void settings_free(struct settings *);

/* "[1, 0]" of one chunk, "[[1, 0], [0, 0]]" of several, as the lists of a training YAML are written; to be freed. */
char *settings_text(struct grid);

#endif
