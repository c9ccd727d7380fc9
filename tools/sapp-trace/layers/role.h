/* Roles: the purpose of a kernel, as its name shows it. */
#ifndef ROLE_H
#define ROLE_H

#include <stddef.h>

enum role {
	ROLE_GRADIENT = 1,	/* gradient, in a backward */
	ROLE_COMMUNICATION = 2,
	ROLE_TRANSFER = 4,	/* transfer between stages */
	ROLE_ATTENTION = 8,	/* fused attention: once per layer, in forward and in backward */
	ROLE_MATMUL = 16,	/* matrix product or convolution */
	ROLE_EMBEDDING = 32,	/* look-up of an embedding in the forward */
	ROLE_ONES = 64,		/* start of a loss's backward */
	ROLE_OPTIMIZER = 128,
	ROLE_NORM = 256,
	ROLE_ACTIVATION = 512,	/* activation of a feed-forward network */
	ROLE_EMBEDDING_GRADIENT = 1024,
	ROLE_LOSS = 2048,
};

/* Return the set of roles of the kernel named by the N bytes at NAME. */
unsigned roles_of(const char *name, size_t n);

/* Return the collective that a kernel's name contains, enum observed_op; -1: none. */
int op_of(const char *name);

#endif
