/*
 * Patterns: the lists of MindFormers' YAML that have numbers for each pattern of operations, and the kinds of
 * recomputation that they mean.
 */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "lib/model/nesting.h"
#include "training.h"

/* A list for each pattern: layers of a piece from the first on, those that are recomputed as a whole included. */
struct pattern_lists {
	const struct pattern_sets *sets;
	struct grid at[PATTERN_BITS];
};

/* Those of counts KIND[kinds] of each piece. */
struct pattern_lists pattern_lists_new(const struct pattern_sets *, const struct grid kind[RECOMPUTE_KINDS]);
/* Exits on a pattern in the value of one of the two lists that no kind has. */
void pattern_lists_check(const struct pattern_sets *, const struct yaml *value, enum training_key);
/* Those of a file, whose pieces have LAYERS. Exits on a pattern that no kind has. */
struct pattern_lists pattern_lists_read(const struct pattern_sets *, const struct training *, struct grid layers);
/*
 * And back: KIND[kinds], to be freed. RECOMPUTE: layers that are recomputed as a whole. Exits naming AT where layers
 * are recomputed for patterns that no kind stands for together.
 */
void pattern_lists_kinds(const struct pattern_lists *, struct grid recompute, struct grid layers,
    struct grid kind[RECOMPUTE_KINDS], struct place at);
bool pattern_lists_equal(const struct pattern_lists *, const struct pattern_lists *);
/* Does any kind but the built-in ones occur? */
bool pattern_lists_needed(const struct grid kind[RECOMPUTE_KINDS]);
/*
 * The value of select_recompute or, COMM, select_comm_recompute: a map in one line, False where nothing is recomputed.
 * Exits naming AT where it takes select or comm, and nobody says which patterns those are. To be freed.
 */
char *pattern_lists_text(const struct pattern_lists *, bool comm, struct place at);
void pattern_lists_free(struct pattern_lists *);

#endif
