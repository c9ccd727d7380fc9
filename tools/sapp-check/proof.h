/*
 * Proof: verify a certificate. The certificate is a tree in depth-first order, with a claim: a step time that no plan
 * is below. A bound drops the columns of a node that no plan below the claim can have. A branch divides a node. A node
 * without layouts is closed. If all nodes are closed, the claim is proved. Otherwise the least bound of the open nodes
 * is proved.
 */
#ifndef PROOF_H
#define PROOF_H

#include "certificate.h"
#include "layouts.h"

struct proof {
	bool closed;		/* whether the claim is proved */
	/* ms, whole step that no plan is below; 0: nothing is proved, or the claim is that no plan fits */
	double proved;
	long bounds, branches;	/* number of verified records */
};

/* Verify all records after the proof record. Exits if a record is wrong. */
struct proof proof_check(struct certificate *, const struct check_question *);

#endif
