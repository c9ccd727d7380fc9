/*
 * Dump: all operations of dumped graphs, which results the backward needs, and the effect of recomputing some
 * operations.
 */
#ifndef DUMP_H
#define DUMP_H

#include "tally.h"

struct dump_node {
	uint32_t group;
	int layer;		/* index of the layer; NO_LAYER: none */
	int role;		/* role of the operation, see dump.c */
	size_t input;		/* index of its first input in dump.input */
	int ninputs;
	uint32_t storage;	/* node that owns the memory of its result; another node if the result is a view */
	uint32_t maker;		/* operation that computed its result */
	bool backward, copy;	/* whether it is in the backward graph; whether it recomputes another node */
	bool needed;		/* whether the backward needs its result */
	bool passed_on;		/* whether another layer gets its result, so that full recomputation keeps it */
	bool fixed;		/* whether it depends on parameters only */
	double numbers, bytes;	/* size of the result */
	/* work: bytes that the device could have moved in the time; time: ms, if a profile has it */
	double work, time;
};

struct dump {
	struct ir_tally names;		/* groups of the nodes */
	struct dump_node *node;
	size_t n;
	uint32_t *input;		/* inputs of all nodes, as indices of nodes */
	size_t ninput;
	uint32_t *at;			/* by number in the current graph: 1 + index of the node */
	long numbers, used;		/* capacity of at; amount used by the current graph */
	uint64_t *instance;		/* instances of layers, one per micro-batch */
	size_t instances;
	double work;			/* sum over all forwards in layers */
	/* [groups], whether the group computes within layers, and does not communicate */
	bool *computes;
	/* ascending pairs: a group that only reshapes results of another group, and this other group */
	uint64_t *shown;
	size_t nshown;
	/* Buffers of dump_effect(). */
	uint32_t *stack;
	unsigned char *mark;
};

struct effect {			/* effect per layer and micro-batch */
	double kept;		/* bytes kept from the forward until the backward */
	double again;		/* fraction of the forward that is recomputed */
};

void dump_add(struct dump *, const struct ir_node *);
/* Complete the dump. Call after adding the last node. */
void dump_complete(struct dump *);
/* Return whether GROUP only reshapes the results of OF. */
bool dump_shows(const struct dump *, uint32_t group, uint32_t of);
/*
 * Return the effect of recomputing the groups in AGAIN[groups], as far as possible. Results are kept if another layer
 * gets them, or if they are kept in another form anyway.
 */
struct effect dump_effect(struct dump *, const bool *again);
void dump_free(struct dump *);

#endif
