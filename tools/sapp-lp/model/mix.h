/* Mix: one way to recompute some layers, as the number of layers of each body with each kind of recomputation. */
#ifndef MIX_H
#define MIX_H

struct mix {
	double activation;	/* MB kept per micro-batch */
	double kept;		/* MB left for the mix's W in addition to content.kept */
	double backward;	/* ms per micro-batch, recomputation included */
	double gradient;	/* ms of weight gradients in addition to content.gradient */
	/*
	 * ms per micro-batch that the offloading link is busy beyond the forward. The backward takes at least this
	 * time, which the backward of mixes of whole contents includes.
	 */
	double link;
	short *count;		/* [bodies * RECOMPUTE_KINDS], layers */
};

#endif
