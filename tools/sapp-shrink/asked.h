/* Asked: the candidates of interest, and which of their coefficients are known. */
#ifndef ASKED_H
#define ASKED_H

#include "lib/estimate/inputs.h"
#include "offer.h"

struct asked_shape {
	struct shapes of;
	struct configuration like;	/* a candidate of this shape */
	int candidates;			/* how many of the first candidates have this shape; 0: none */
	bool again;			/* whether some of them use recomputation */
	bool known;			/* whether most of their time was measured */
};

struct asked {
	struct inputs in;
	int k;			/* number of first candidates */
	bool keep;		/* whether to keep all candidates, for rows with a run per candidate */
	size_t nfirst, nall, nshapes, nruns, ncovered;
	struct configuration *first, *all;
	struct asked_shape *shape;
	struct training_run *run;	/* runs in the stream */
	bool *made;			/* [nruns], whether the run has results */
	struct configuration *covered;	/* names of candidates that were measured */
	bool estimates;		/* whether the first candidates are estimates; then candidates are separate records */
	/* [regimes][factors], whether the factor differs between candidates of the regime */
	bool vary[REGIMES][FACTORS];
};

/*
 * Read the candidates. Exits if none exist. LEAST: fraction of a candidate's time that must be measured for the
 * candidate to count as known.
 */
void asked_read(struct asked *, char *const operands[], const char *cluster, const char *known, double least);
void asked_free(struct asked *);

#endif
