/* Node: reads the operations of a graph that MindSpore dumped, one by one. Files of any size need little memory. */
#ifndef NODE_H
#define NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { NODE_INPUTS = 64 };

struct tensor {
	int dims;		/* number of dimensions; 0: none, or a scalar */
	double dim[8], numbers;
	double bytes;		/* 0: unknown */
};

struct ir_node {
	long number;		/* number in the text, such as %12; from 0 in each graph of the file */
	const char *op;		/* name of the operation, such as "Cast" */
	const char *instance;	/* name of the instance, such as "cast", or "" */
	const char *scope;	/* scope, such as "Default/network-Net/0-Layer/SiLU-op1", or "" */
	/* numbers of the nodes that are its inputs; inputs beyond the maximum are dropped */
	long input[NODE_INPUTS];
	int ninputs;
	/* in: the first inputs, which may be parameters; out: the output, if it has one */
	struct tensor in[2], out;
	int micro;		/* number of the micro-batch, if given */
	bool recompute;		/* whether it is marked for recomputation */
	bool duplicated;	/* whether it is a copy, for recomputation */
};

struct node_reader {
	FILE *file;
	const char *path;
	char *line;		/* the part of a line that is being read */
	size_t length;
	char *kept;		/* text of a node that is not complete yet */
	bool ended;
};

/* Open the file PATH. Exits if it cannot be opened. */
void node_open(struct node_reader *, const char *path);
/* Read the next node. It is valid until the next call. Return false at the end. */
bool node_next(struct node_reader *, struct ir_node *);
void node_close(struct node_reader *);

#endif
