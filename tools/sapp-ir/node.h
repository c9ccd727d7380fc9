/* Node: the operations of a dumped MindSpore graph, one by one, in little memory whatever the size of the file. */
#ifndef NODE_H
#define NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { NODE_INPUTS = 64 };

struct tensor {
	int dims;		/* 0: none, or of one number */
	double dim[8], numbers;
	double bytes;		/* 0: not known */
};

struct node {
	long number;		/* %12, from 0 in each graph of the file */
	const char *op;		/* "Cast" */
	const char *instance;	/* "cast", or "" */
	const char *scope;	/* "Default/network-Net/0-Layer/SiLU-op1", or "" */
	long input[NODE_INPUTS];	/* numbers of other nodes; more are left out */
	int ninputs;
	struct tensor in[2], out;	/* of the first inputs, which may be parameters; of a single output */
	int micro;		/* micro-batch, as far as it is said */
	bool recompute;		/* marked to be computed again */
	bool duplicated;	/* a copy that computes again */
};

struct node_reader {
	FILE *file;
	const char *path;
	char *line;		/* the part of a line that is looked at */
	size_t length;
	char *kept;		/* text of the node that is not complete */
	bool ended;
};

/* Exits when PATH cannot be opened. */
void node_open(struct node_reader *, const char *path);
/* The next node, whose text is valid until the one after; false at the end. */
bool node_next(struct node_reader *, struct node *);
void node_close(struct node_reader *);

#endif
