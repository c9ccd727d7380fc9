/* Network: a random model, whose layers are sequences of kernels with known times. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdbool.h>
#include <stdint.h>

enum mixer { FULL, SLIDING, LINEAR, UNKNOWN };	/* attention, or its replacement */
enum maker { CANN, CUDA, MAKERS };

struct kernel {
	const char *name[MAKERS];
	double us;
};

enum { MAX_KERNELS = 64, MAX_LAYERS = 512 };

struct body {			/* kernels of a kind of layer, or of an end of the model */
	int n[2];		/* forward, backward */
	struct kernel kernel[2][MAX_KERNELS];
};

struct network {
	const char *pattern;	/* differences between layers */
	int layers;
	int body[MAX_LAYERS];	/* the body of each layer */
	int bodies;
	struct body at[8];
	struct body head, tail;
};

/* Draw a network of LAYERS layers. */
void network_draw(struct network *, int layers, uint64_t *random);

#endif
