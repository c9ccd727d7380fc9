/* Chain: kinds of recomputation with their savings and costs. Each kind has all patterns of the kind before it. */
#ifndef CHAIN_H
#define CHAIN_H

#include "lib/base/table.h"
#include "dump.h"
#include "pattern.h"

enum { CHAIN_MOST = 7 };

struct chain {
	struct effect none, full;	/* none: keep everything; full: keep only the inputs of layers */
	int n;
	struct link {			/* patterns that are recomputed */
		struct effect effect;
		struct texts patterns;
	} at[CHAIN_MOST];
};

/*
 * Make a chain of up to MOST kinds, from N patterns, or from all operations of layers if N is 0. The best ratio of
 * savings to time comes first. Prints on stderr which patterns save nothing.
 */
struct chain chain_new(struct dump *, const struct ir_pattern *, int n, int most);
/* Return the effect of recomputing the operations that N patterns match. */
struct effect chain_effect(struct dump *, const struct ir_pattern *, int n);
void chain_free(struct chain *);

#endif
