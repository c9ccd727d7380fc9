/* Chain: kinds of recomputation, each of which has all patterns of the one before, by what they save and cost. */
#ifndef CHAIN_H
#define CHAIN_H

#include "dump.h"
#include "lib/field/table.h"
#include "pattern.h"

enum { CHAIN_MOST = 7 };

struct chain {
	struct effect none, full;	/* everything is kept; only what layers pass on */
	int n;
	struct link {			/* what is computed again with it */
		struct effect effect;
		struct texts patterns;
	} at[CHAIN_MOST];
};

/*
 * At most MOST kinds, of N patterns, or where N is 0 of all operations of layers, the one first that saves the most for
 * its time. Patterns that save nothing are said on stderr.
 */
struct chain chain_new(struct dump *, const struct pattern *, int n, int most);
/* What is kept and computed again by these patterns. */
struct effect chain_effect(struct dump *, const struct pattern *, int n);
void chain_free(struct chain *);

#endif
