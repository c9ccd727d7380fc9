/*
 * Proof: a certificate gone through. It is a tree, depth first: bounds drop what no plan below the claim can have from
 * what is left at a node, branches divide that in two, and a node without a layout is closed. All are: the claim is
 * proved. Else what is proved is the least of the bounds of the nodes that are open.
 */
#ifndef PROOF_H
#define PROOF_H

#include "certificate.h"
#include "layouts.h"

struct proof {
	bool closed;		/* the claim is proved */
	double proved;		/* ms, in full: no plan is below it; 0: nothing is; or no plan is claimed to fit */
	long bounds, branches;	/* gone through */
};

/* Go through the records behind the proof record, to the end. Exits where one is wrong. */
struct proof proof_check(struct certificate *, const struct question *);

#endif
