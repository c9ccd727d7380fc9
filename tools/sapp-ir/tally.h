/* Tally: the marks and actual recomputations of each operation of each layer. */
#ifndef TALLY_H
#define TALLY_H

#include <stdint.h>

#include "node.h"

/* Outside any layer. */
enum { NO_LAYER = -1 };

struct tally_group {			/* operations with equal names in all layers */
	char *name;		/* names of its cells below the layer, and its own: "feed_forward.w1.reshape" */
	char *op;		/* "Reshape" */
	uint32_t next;		/* next in its bucket, 1 + index; 0: none */
};

struct ir_operation {		/* all nodes of a group in one layer */
	uint32_t group;
	int layer;		/* NO_LAYER: none */
	long marked, duplicated;
	long carried;		/* duplicated ones with the mark of their original */
	uint32_t next;		/* like group.next */
};

struct between {		/* an operation after a marked one that only moves its data */
	uint32_t from, via, to;	/* groups; TO is marked, or equals VIA if no marked one follows */
	long times;
};

struct ir_tally {
	struct tally_group *group;
	uint32_t ngroups;
	struct ir_operation *operation;
	uint32_t n;
	uint32_t *groups, *operations;	/* buckets */
	struct between *between;
	size_t nbetween;
	struct trail *trail;	/* of the nodes of the current graph, by number */
	long trails, used;	/* capacity; 1 + the maximum node number in this graph */
};

/* Return the group of a node, and get its layer. */
uint32_t tally_group(struct ir_tally *, const struct ir_node *, int *layer);
void ir_tally_add(struct ir_tally *, const struct ir_node *);
void ir_tally_free(struct ir_tally *);

#endif
