/* Roles: the meaning of a kernel's name. */
#ifndef ROLE_H
#define ROLE_H

#include <stddef.h>

enum role {
	ROLE_GRADIENT = 1,	/* of a backward */
	ROLE_COMMUNICATION = 2,
	ROLE_TRANSFER = 4,	/* between stages */
	ROLE_ATTENTION = 8,	/* fused: once per layer, forward and backward */
	ROLE_MATMUL = 16,	/* a product or convolution */
	ROLE_EMBEDDING = 32,	/* forward look-up */
	ROLE_ONES = 64,		/* start of the backward of a loss */
	ROLE_OPTIMIZER = 128,
	ROLE_NORM = 256,
	ROLE_ACTIVATION = 512,	/* of a feed-forward */
	ROLE_EMBEDDING_GRADIENT = 1024,
	ROLE_LOSS = 2048,
};

/* Return the roles of the N bytes at NAME, a set. */
unsigned roles_of(const char *name, size_t n);

/* Return the collective that a kernel's name has, enum observed_op; -1 if none exists. */
int op_of(const char *name);

#endif
