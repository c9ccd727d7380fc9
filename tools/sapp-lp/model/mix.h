/* Mix: one way to recompute some layers, so many of each body by each kind of recomputation. */
#ifndef MIX_H
#define MIX_H

struct mix {
	double activation;	/* MB kept for one micro-batch */
	double backward;	/* ms of one micro-batch, recomputation included */
	short *count;		/* [bodies * RECOMPUTE_KINDS], layers */
};

#endif
