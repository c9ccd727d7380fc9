/* The lists of a training YAML, and their conversion to numbers of layers per kind. See sapp(7). */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "lib/base/place.h"
#include "lib/base/table.h"
#include "lib/record/recompute.h"
#include "yaml.h"

struct settings {		/* [chunk][stage] */
	struct grid offset;	/* number of layers minus floor(L / (P V)) */
	struct grid recompute, select_recompute, select_comm_recompute;
};

/*
 * Return the number of layers of every piece: floor(L / (P V)) + offset. Exit, naming AT, if offsets do not add up to
 * the remainder, or the number of a piece is negative.
 */
struct grid settings_layers(const struct settings *, int layers, struct place at);
/*
 * Convert the lists to numbers of layers per kind. A layer may be in several lists, but has one kind. Exit, naming AT,
 * chunk and stage, if a number is negative.
 */
void settings_to_counts(const struct settings *, int layers, struct grid kind[RECOMPUTE_KINDS],
    struct place at);
/*
 * Convert numbers of layers per kind to lists. A kind with chunks == 0 has no layers. Each list counts from the first
 * layer of a piece, so lists overlap: a select layer and a comm layer in one piece become one layer with both.
 */
struct settings settings_from_counts(const struct grid kind[RECOMPUTE_KINDS], int layers);

/*
 * Distribute the layers of pieces over BODIES bodies. In the model, the LAYERS[b] layers of body b follow the layers of
 * body b - 1. ORDER: pieces in the order of the data; NULL: by number. FIRST: order of the kinds within a piece, as in
 * recompute_costly_first. OUT[b][k] stays empty if no layer of body b has kind k.
 */
void settings_deal(const struct grid kind[RECOMPUTE_KINDS], const enum recompute first[RECOMPUTE_KINDS],
    const int order[], int bodies, const int layers[], struct grid out[][RECOMPUTE_KINDS]);

/*
 * Read a list of CHUNKS x STAGES entries. NODE: 0 or false (none), true (all *LAYERS), a list of one entry per stage,
 * or a list of one of these per chunk; NULL: none. LAYERS NULL: entries are offsets, which may be negative but not
 * true. Exit if the number of entries is wrong.
 */
struct grid settings_list(const struct yaml *node, const char *key, int chunks, int stages,
    const struct grid *layers);
void settings_free(struct settings *);

/* Return a list as in a training YAML: "[1, 0]" for one chunk, "[[1, 0], [0, 0]]" for several. Caller frees. */
char *settings_text(struct grid);

#endif
