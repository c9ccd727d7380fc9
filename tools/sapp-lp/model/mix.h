/* Mix: one way to recompute some layers, so many of each body by each kind of recomputation. */
#ifndef MIX_H
#define MIX_H

struct mix {
	double activation;	/* MB kept for one micro-batch */
	double kept;		/* MB left to its W more than content.kept */
	double backward;	/* ms of one micro-batch, recomputation included */
	double gradient;	/* ms of it that the weights' gradients take more than content.gradient */
	/*
	 * ms that the link to where activations are offloaded is busy with a micro-batch beyond the forward: the
	 * backward takes that at least, and mixes of whole contents have it so
	 */
	double link;
	short *count;		/* [bodies * RECOMPUTE_KINDS], layers */
};

#endif
