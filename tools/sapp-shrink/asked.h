/* Asked: the candidates of interest, and their known coefficients. */
#ifndef ASKED_H
#define ASKED_H

#include "lib/estimate/inputs.h"
#include "offer.h"

struct asked_shape {
	struct shapes of;
	struct configuration like;	/* a candidate of this shape */
	int candidates;			/* number of the first candidates with this shape; 0: none */
	bool again;			/* some of these use recomputation */
	bool known;			/* most of their time has been measured */
};

struct asked {
	struct inputs in;
	int k;			/* number of first candidates */
	bool keep;		/* keep all candidates, for rows per candidate */
	size_t nfirst, nall, nshapes, nruns, ncovered;
	struct configuration *first, *all;
	struct asked_shape *shape;
	struct training_run *run;	/* of the stream */
	bool *made;			/* [nruns]: the run has results */
	struct configuration *covered;	/* names, of measured candidates */
	bool estimates;		/* the first are estimates; candidates are separate */
	bool vary[REGIMES][FACTORS];	/* factors that differ between candidates of a regime */
};

/*
 * Read the candidates; exits if there are none. LEAST: fraction of a candidate's time that must be measured for it to
 * count as known.
 */
void asked_read(struct asked *, char *const operands[], const char *cluster, const char *known, double least);
void asked_free(struct asked *);

#endif
