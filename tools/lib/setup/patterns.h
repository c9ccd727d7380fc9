/* Patterns: lists of a MindFormers YAML with numbers per operator pattern, and their kinds of recomputation. */
#ifndef PATTERNS_H
#define PATTERNS_H

#include "lib/model/nesting.h"
#include "training.h"

/* A list per pattern: number of first layers of a piece, including fully recomputed ones. */
struct pattern_lists {
	const struct pattern_sets *sets;
	struct grid at[PATTERN_BITS];
};

/* Build the lists of counts KIND[kinds] per piece. */
struct pattern_lists pattern_lists_new(const struct pattern_sets *, const struct grid kind[RECOMPUTE_KINDS]);
/* Exit on a pattern in the value of one of the two lists that no kind has. */
void pattern_lists_check(const struct pattern_sets *, const struct yaml *value, enum training_key);
/* Read the lists of a file whose pieces have LAYERS. Exits on a pattern that no kind has. */
struct pattern_lists pattern_lists_read(const struct pattern_sets *, const struct training *, struct grid layers);
/*
 * Convert lists to KIND[kinds]; caller frees. RECOMPUTE: fully recomputed layers. Exits, naming AT, if no kind has
 * exactly the patterns of a layer.
 */
void pattern_lists_kinds(const struct pattern_lists *, struct grid recompute, struct grid layers,
    struct grid kind[RECOMPUTE_KINDS], struct place at);
bool pattern_lists_equal(const struct pattern_lists *, const struct pattern_lists *);
/* Return whether any kind other than built-in ones occurs. */
bool pattern_lists_needed(const struct grid kind[RECOMPUTE_KINDS]);
/*
 * Return select_recompute (COMM: select_comm_recompute) as a map in one line, or False if empty; caller frees. Exits,
 * naming AT, if it needs the patterns of select or comm and they are unknown.
 */
char *pattern_lists_text(const struct pattern_lists *, bool comm, struct place at);
void pattern_lists_free(struct pattern_lists *);

#endif
