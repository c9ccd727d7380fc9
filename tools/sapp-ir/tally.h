/* Tally: the marks and the actual recomputations of each operation of each layer. */
#ifndef TALLY_H
#define TALLY_H

#include <stdint.h>

#include "node.h"

/* An operation outside of all layers. */
enum { NO_LAYER = -1 };

struct tally_group {			/* operations with equal names in all layers */
	/* names of its cells below the layer and its own name, such as "feed_forward.w1.reshape" */
	char *name;
	char *op;		/* name of its operation, such as "Reshape" */
	uint32_t next;		/* 1 + index of the next group in its bucket; 0: none */
};

struct ir_operation {		/* all nodes of a group in one layer */
	uint32_t group;
	int layer;		/* index of the layer; NO_LAYER: none */
	long marked, duplicated;
	long carried;		/* number of copies that have the mark of their original */
	uint32_t next;		/* 1 + index of the next operation in its bucket; 0: none */
};

struct between {		/* an operation after a marked operation that only moves its data */
	uint32_t from, via, to;	/* groups; to is a marked group, or equal to via if no marked operation follows */
	long times;
};

struct ir_tally {
	struct tally_group *group;
	uint32_t ngroups;
	struct ir_operation *operation;
	uint32_t n;
	uint32_t *groups, *operations;	/* buckets of hash tables */
	struct between *between;
	size_t nbetween;
	struct trail *trail;	/* origin of the data of each node in the current graph, by the node's number */
	long trails, used;	/* capacity of trail; 1 + maximum number of a node in the current graph */
};

/* Return the group of a node, and get its layer. */
uint32_t tally_group(struct ir_tally *, const struct ir_node *, int *layer);
void ir_tally_add(struct ir_tally *, const struct ir_node *);
void ir_tally_free(struct ir_tally *);

#endif
