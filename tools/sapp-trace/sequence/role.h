/* Roles: what the name of a kernel says of it. */
#ifndef ROLE_H
#define ROLE_H

#include <stddef.h>

enum role {
	ROLE_GRADIENT = 1,	/* of a backward */
	ROLE_COMMUNICATION = 2,
	ROLE_TRANSFER = 4,	/* communication from one stage to another */
	ROLE_ATTENTION = 8,	/* a fused one: once in a layer, forward and backward */
	ROLE_MATMUL = 16,	/* a product, or a convolution */
	ROLE_EMBEDDING = 32,	/* a forward look-up */
	ROLE_ONES = 64,		/* where the backward of a loss begins */
	ROLE_ZEROS = 128,	/* gradients are cleared */
	ROLE_OPTIMIZER = 256,
	ROLE_NORM = 512,
	ROLE_ACTIVATION = 1024,	/* of a feed-forward */
	ROLE_EMBEDDING_GRADIENT = 2048,
	ROLE_LOSS = 4096,
};

/* The roles of the N bytes at NAME, a set. */
unsigned roles_of(const char *name, size_t n);

/* Which collective a name says that it is, enum observed_op; -1: none. */
int op_of(const char *name);

#endif
