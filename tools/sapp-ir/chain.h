/* Chain: kinds of recomputation, each with all patterns of the one before, with their savings and costs. */
#ifndef CHAIN_H
#define CHAIN_H

#include "lib/base/table.h"
#include "dump.h"
#include "pattern.h"

enum { CHAIN_MOST = 7 };

struct chain {
	struct effect none, full;	/* keep everything; keep only inputs of layers */
	int n;
	struct link {			/* recomputed patterns */
		struct effect effect;
		struct texts patterns;
	} at[CHAIN_MOST];
};

/*
 * Build a chain of up to MOST kinds from N patterns, or from all operations of layers if N is 0, best ratio of savings
 * to time first. Prints patterns that save nothing to stderr.
 */
struct chain chain_new(struct dump *, const struct ir_pattern *, int n, int most);
/* Return the effect of recomputing these patterns. */
struct effect chain_effect(struct dump *, const struct ir_pattern *, int n);
void chain_free(struct chain *);

#endif
