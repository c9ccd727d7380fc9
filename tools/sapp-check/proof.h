/*
 * Proof: verify a certificate. It is a tree in depth-first order, with a claim: a step time that no plan is below. A
 * bound drops columns at a node that no plan below the claim can have, a branch divides a node, and a node without
 * layouts is closed. If all nodes are closed, the claim is proved; otherwise the least bound of the open nodes is
 * proved.
 */
#ifndef PROOF_H
#define PROOF_H

#include "certificate.h"
#include "layouts.h"

struct proof {
	bool closed;		/* the claim is proved */
	/* ms, full step: no plan is below; 0: nothing proved, or the claim is that no plan fits */
	double proved;
	long bounds, branches;	/* verified */
};

/* Verify the records after the proof record to the end. Exits on a wrong one. */
struct proof proof_check(struct certificate *, const struct check_question *);

#endif
