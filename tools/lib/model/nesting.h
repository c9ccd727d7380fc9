/*
 * Nesting: the kinds of recomputation that lists with one number for each pattern can say in a piece.  Such a list
 * counts layers from the first one of the piece, so of two kinds in a piece one stands for all patterns of the other,
 * and its layers come first.
 */
#ifndef NESTING_H
#define NESTING_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/record/record.h"

enum {
	CHAINS_MAX = 12,
	PATTERNS_MAX = 60,		/* different ones */
	PATTERN_SELECT = PATTERNS_MAX,	/* what select stands for where no record says it */
	PATTERN_COMM,			/* and comm */
	PATTERN_BITS,
	SWAP_LAYER = PATTERNS_MAX
};

/* What kinds stand for: sets of patterns, each a bit. */
struct pattern_sets {
	int n;
	const char *pattern[PATTERNS_MAX];	/* the records' own */
	bool comm[PATTERNS_MAX];	/* of select_comm_recompute; one of both lists is two patterns */
	uint64_t of[RECOMPUTE_KINDS];
	/* Operators that are offloaded, the same way; bit SWAP_LAYER for all of a layer. */
	int nops;
	const char *op[PATTERNS_MAX];
	uint64_t moves[RECOMPUTE_KINDS];
	int prefetch[RECOMPUTE_KINDS];
	unsigned said;			/* the kinds that patterns or operators are known for, a set of 1 << kind */
};

struct nesting {
	unsigned said;		/* the kinds that patterns are known for, a set of 1 << kind */
	/*
	 * The longest chains of kinds that contain one another, the largest first: the layers of a piece are
	 * recomputed by the levels of one of them, in order. A level is a set of kinds that stand for the same
	 * patterns.
	 */
	int chains, levels[CHAINS_MAX];
	unsigned level[CHAINS_MAX][RECOMPUTE_KINDS];
};

/* By the kind records among them, which must outlive it. Exits where two kinds stand for the same patterns. */
struct pattern_sets pattern_sets_of(const struct records *);
/* The kinds with more patterns before those with fewer: as their layers come in a piece. */
void pattern_order(const struct pattern_sets *, enum recompute order[RECOMPUTE_KINDS]);
/*
 * By the kind records among them, of which those without patterns say nothing. Exits where two kinds stand for the same
 * patterns, or there are too many chains.
 */
struct nesting nesting_of(const struct records *);
/* That of the built-in kinds alone. */
extern const struct nesting nesting_built_in;

#endif
