/* Node: read operations of a dumped MindSpore graph one by one, with little memory for any file size. */
#ifndef NODE_H
#define NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { NODE_INPUTS = 64 };

struct tensor {
	int dims;		/* 0: none, or a scalar */
	double dim[8], numbers;
	double bytes;		/* 0: unknown */
};

struct ir_node {
	long number;		/* %12, from 0 in each graph of the file */
	const char *op;		/* "Cast" */
	const char *instance;	/* "cast", or "" */
	const char *scope;	/* "Default/network-Net/0-Layer/SiLU-op1", or "" */
	long input[NODE_INPUTS];	/* numbers of other nodes; excess inputs are dropped */
	int ninputs;
	struct tensor in[2], out;	/* of the first inputs, which may be parameters; of a single output */
	int micro;		/* micro-batch, if given */
	bool recompute;		/* marked for recomputation */
	bool duplicated;	/* copy for recomputation */
};

struct node_reader {
	FILE *file;
	const char *path;
	char *line;		/* current part of a line */
	size_t length;
	char *kept;		/* text of an incomplete node */
	bool ended;
};

/* Exits if PATH cannot be opened. */
void node_open(struct node_reader *, const char *path);
/* Read the next node, valid until the one after; false at the end. */
bool node_next(struct node_reader *, struct ir_node *);
void node_close(struct node_reader *);

#endif
