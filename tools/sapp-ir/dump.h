/* Dump: all operations of dumped graphs, the results that the backward needs, and the effect of recomputing some. */
#ifndef DUMP_H
#define DUMP_H

#include "tally.h"

struct dump_node {
	uint32_t group;
	int layer;		/* NO_LAYER: none */
	int role;		/* type of its result; dump.c */
	size_t input;		/* index of its first input in dump.input */
	int ninputs;
	uint32_t storage;	/* node that owns the memory of its result, if the result is a view */
	uint32_t maker;		/* operation that computed its result */
	bool backward, copy;	/* in the backward graph; recomputes */
	bool needed;		/* by the backward */
	bool passed_on;		/* to another layer, so that full recomputation keeps it */
	bool fixed;		/* depends on parameters only */
	double numbers, bytes;	/* of the result */
	double work, time;	/* bytes the device could have moved meanwhile; ms, if a profile has them */
};

struct dump {
	struct ir_tally names;		/* groups of the nodes */
	struct dump_node *node;
	size_t n;
	uint32_t *input;		/* nodes */
	size_t ninput;
	uint32_t *at;			/* by number in the current graph: 1 + node */
	long numbers, used;		/* capacity, and numbers used by the current graph */
	uint64_t *instance;		/* of layers, one per micro-batch */
	size_t instances;
	double work;			/* of all forwards in layers */
	bool *computes;			/* [groups]: computes within layers, and does not communicate */
	/* ascending pairs: a group that only reshapes results of another group, and that group */
	uint64_t *shown;
	size_t nshown;
	/* For dump_effect(). */
	uint32_t *stack;
	unsigned char *mark;
};

struct effect {			/* per layer and micro-batch */
	double kept;		/* bytes kept from the forward to the backward */
	double again;		/* fraction of the forward recomputed */
};

void dump_add(struct dump *, const struct ir_node *);
/* Call after the last node. */
void dump_complete(struct dump *);
/* Return whether GROUP only reshapes results of OF. */
bool dump_shows(const struct dump *, uint32_t group, uint32_t of);
/*
 * Recompute the groups in AGAIN[groups] where possible. Keeps results that another layer receives, or that are kept in
 * another form.
 */
struct effect dump_effect(struct dump *, const bool *again);
void dump_free(struct dump *);

#endif
