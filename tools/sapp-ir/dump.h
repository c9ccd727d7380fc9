/*
 * Dump: all operations of dumped graphs, what of their results the backward needs, and what that would be if some were
 * computed again.
 */
#ifndef DUMP_H
#define DUMP_H

#include "tally.h"

struct dump_node {
	uint32_t group;
	int layer;		/* NO_LAYER: none */
	int role;		/* what its result is; dump.c */
	size_t input;		/* the first of its inputs, in dump.input */
	int ninputs;
	uint32_t storage;	/* the node whose memory its result has, where it is a view */
	uint32_t maker;		/* the operation whose result it is, or is a part of */
	bool backward, copy;	/* of the backward graph; one that computes again */
	bool needed;		/* by the backward */
	bool passed_on;		/* to another layer, which is what recomputing the whole layer keeps */
	bool fixed;		/* it depends on parameters alone */
	double numbers, bytes;	/* of its result */
	double work, time;	/* bytes that the device could have moved meanwhile; ms, where a profile says them */
};

struct dump {
	struct tally names;		/* their groups */
	struct dump_node *node;
	size_t n;
	uint32_t *input;		/* nodes */
	size_t ninput;
	uint32_t *at;			/* by number in the graph that is read: 1 + node */
	long numbers, used;		/* room, and how much of it the graph that is read has */
	uint64_t *instance;		/* of layers: one for each micro-batch */
	size_t instances;
	double work;			/* of all forwards within layers */
	bool *computes;			/* [groups]: something, within layers, and no communication */
	uint64_t *shown;		/* ascending: a group that shows results of another in another form, and that */
	size_t nshown;
	/* For dump_effect(). */
	uint32_t *stack;
	unsigned char *mark;
};

struct effect {			/* of one layer and micro-batch */
	double kept;		/* bytes from the forward to the backward */
	double again;		/* share of the forward that is computed again */
};

void dump_add(struct dump *, const struct node *);
/* All nodes are there. */
void dump_complete(struct dump *);
/* Does GROUP only show results of OF in another form? */
bool dump_shows(const struct dump *, uint32_t group, uint32_t of);
/*
 * Operations of the groups that AGAIN[groups] has are computed again, if they can be: a result that another layer gets,
 * or of which another form is kept, stays.
 */
struct effect dump_effect(struct dump *, const bool *again);
void dump_free(struct dump *);

#endif
