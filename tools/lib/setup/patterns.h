/*
 * The lists of a MindFormers YAML that have a number of layers for each pattern of operators. Kinds of recomputation
 * are derived from them.
 */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "lib/model/nesting.h"
#include "training.h"

/*
 * One list per pattern. An entry is the number of layers, from the first of a piece on, that recompute the pattern.
 * Fully recomputed layers count also.
 */
struct pattern_lists {
	const struct pattern_sets *sets;
	struct grid at[PATTERN_BITS];
};

/* Build the lists for KIND[kind] layers of each kind per piece. */
struct pattern_lists pattern_lists_new(const struct pattern_sets *, const struct grid kind[RECOMPUTE_KINDS]);
/* Exit if VALUE has a pattern that no kind has. KEY: select_recompute or select_comm_recompute. */
void pattern_lists_check(const struct pattern_sets *, const struct yaml *value, enum training_key);
/* Read the lists of a file whose pieces have LAYERS layers. Exit if they have a pattern that no kind has. */
struct pattern_lists pattern_lists_read(const struct pattern_sets *, const struct training *, struct grid layers);
/*
 * Convert lists to KIND[kind], the number of layers of each kind per piece. RECOMPUTE: number of fully recomputed
 * layers. Caller frees the grids. Exit, naming AT, if no kind has exactly the patterns of a layer.
 */
void pattern_lists_kinds(const struct pattern_lists *, struct grid recompute, struct grid layers,
    struct grid kind[RECOMPUTE_KINDS], struct place at);
bool pattern_lists_equal(const struct pattern_lists *, const struct pattern_lists *);
/* Return whether any layer has a kind that is not built in. */
bool pattern_lists_needed(const struct grid kind[RECOMPUTE_KINDS]);
/*
 * Return select_recompute, or select_comm_recompute if COMM, as a map in one line, or False if no layer is in it.
 * Caller frees. Exit, naming AT, if the patterns of select or comm are needed and unknown.
 */
char *pattern_lists_text(const struct pattern_lists *, bool comm, struct place at);
void pattern_lists_free(struct pattern_lists *);

#endif
