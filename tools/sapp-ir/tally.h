/* Tally: how often each operation of each layer is marked to be computed again, and how often it is. */
#ifndef TALLY_H
#define TALLY_H

#include <stdint.h>

#include "node.h"

/* What is not in a layer. */
enum { NO_LAYER = -1 };

struct group {			/* operations with the same name in all layers */
	char *name;		/* of its cells below the layer, and its own: "feed_forward.w1.reshape" */
	char *op;		/* "Reshape" */
	uint32_t next;		/* in its bucket, 1 + index; 0: none */
};

struct operation {		/* all nodes of a group in the same layer */
	uint32_t group;
	int layer;		/* NO_LAYER: none */
	long marked, duplicated;
	long carried;		/* of those duplicated: that carry the mark of what they are a copy of */
	uint32_t next;		/* as above */
};

struct between {		/* what stands behind a marked operation and only moves its data */
	uint32_t from, via, to;	/* groups; TO is marked, or the same as VIA where nothing marked is behind it */
	long times;
};

struct tally {
	struct group *group;
	uint32_t ngroups;
	struct operation *operation;
	uint32_t n;
	uint32_t *groups, *operations;	/* buckets */
	struct between *between;
	size_t nbetween;
	struct trail *trail;	/* of the nodes of the graph that is read, by number */
	long trails, used;	/* numbers there is room for; above the largest in this graph */
};

/* The group of a node, and its layer. */
uint32_t tally_group(struct tally *, const struct node *, int *layer);
void tally_add(struct tally *, const struct node *);
void tally_free(struct tally *);

#endif
