/*
 * Nesting: the kinds of recomputation that lists with one number per pattern can express in a piece. Such a list counts
 * layers from the first of the piece. So of two kinds in a piece one has all patterns of the other, and its layers come
 * first.
 */
#ifndef NESTING_H
#define NESTING_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/record/record.h"

enum {
	CHAINS_MAX = 12,
	PATTERNS_MAX = 60,		/* number of distinct patterns */
	PATTERN_SELECT = PATTERNS_MAX,	/* patterns of select if no record lists them */
	PATTERN_COMM,			/* of comm, likewise */
	PATTERN_BITS,
	SWAP_LAYER = PATTERNS_MAX
};

/* The patterns of each kind, as bits. */
struct pattern_sets {
	int n;
	const char *pattern[PATTERNS_MAX];	/* owned by the records */
	bool comm[PATTERNS_MAX];	/* in select_comm_recompute; a pattern in both lists counts as two */
	uint64_t of[RECOMPUTE_KINDS];
	/* Offloaded operators, as bits; SWAP_LAYER: the whole layer. */
	int nops;
	const char *op[PATTERNS_MAX];
	uint64_t moves[RECOMPUTE_KINDS];
	int prefetch[RECOMPUTE_KINDS];
	unsigned said;			/* kinds with known patterns or operators, a set of 1 << kind */
};

struct nesting {
	unsigned said;		/* kinds with known patterns, a set of 1 << kind */
	/*
	 * The longest chains of kinds whose sets contain one another, largest set first. Layers of a piece use the
	 * levels of one chain in order. A level is a set of kinds with equal patterns.
	 */
	int chains, levels[CHAINS_MAX];
	unsigned level[CHAINS_MAX][RECOMPUTE_KINDS];
};

/* Build the sets from kind records, which must outlive them. Exits if two kinds have the same patterns. */
struct pattern_sets pattern_sets_of(const struct records *);
/* Order the kinds with more patterns first, as their layers are placed in a piece. */
void pattern_order(const struct pattern_sets *, enum recompute order[RECOMPUTE_KINDS]);
/*
 * Build the chains from kind records; kinds without patterns are ignored. Exits if two kinds have the same patterns, or
 * there are too many chains.
 */
struct nesting nesting_of(const struct records *);
/* The nesting of the built-in kinds alone. */
extern const struct nesting nesting_built_in;

#endif
