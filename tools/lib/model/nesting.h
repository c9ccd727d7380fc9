/*
 * Sets of kinds of recomputation that the lists of a framework can express together in a piece. A list gives, for each
 * pattern, a number of layers per piece, counted from the piece's first layer. So of two kinds in a piece, one must
 * recompute all patterns of the other, and its layers come first.
 */
#ifndef NESTING_H
#define NESTING_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/record/record.h"

enum {
	CHAINS_MAX = 12,
	PATTERNS_MAX = 60,		/* maximum number of distinct patterns */
	PATTERN_SELECT = PATTERNS_MAX,	/* the patterns of select, if no record lists them */
	PATTERN_COMM,			/* the patterns of comm, if no record lists them */
	PATTERN_BITS,
	SWAP_LAYER = PATTERNS_MAX
};

/* The patterns of each kind, as sets of bits. pattern[] names the bits. */
struct pattern_sets {
	int n;
	const char *pattern[PATTERNS_MAX];	/* texts owned by the records */
	bool comm[PATTERNS_MAX];	/* the pattern is in select_comm_recompute; one in both lists has two bits */
	uint64_t of[RECOMPUTE_KINDS];
	/* Offloaded operators of each kind, as sets of bits that op[] names; SWAP_LAYER: the whole layer. */
	int nops;
	const char *op[PATTERNS_MAX];
	uint64_t moves[RECOMPUTE_KINDS];
	int prefetch[RECOMPUTE_KINDS];
	unsigned said;			/* kinds whose patterns or operators are known, a set of 1 << kind */
};

struct nesting {
	unsigned said;		/* kinds whose patterns are known, a set of 1 << kind */
	/*
	 * The longest chains of kinds in which each set of patterns contains the next one. The layers of a piece use
	 * the levels of one chain in order. A level is a set of kinds with equal patterns.
	 */
	int chains, levels[CHAINS_MAX];
	unsigned level[CHAINS_MAX][RECOMPUTE_KINDS];
};

/* Build the sets from kind records, which must outlive them. Exit if two kinds have the same patterns. */
struct pattern_sets pattern_sets_of(const struct records *);
/* Put the kinds with more patterns first, in the order in which a piece places their layers. */
void pattern_order(const struct pattern_sets *, enum recompute order[RECOMPUTE_KINDS]);
/*
 * Build the chains from kind records. Kinds without patterns are left out. Exit if two kinds have the same patterns, or
 * if the number of chains exceeds CHAINS_MAX.
 */
struct nesting nesting_of(const struct records *);
/* The chains of the built-in kinds alone. */
extern const struct nesting nesting_built_in;

#endif
