/* Asked: the candidates that runs are to tell of, and what is known of them already. */
#ifndef ASKED_H
#define ASKED_H

#include "lib/strategy/inputs.h"
#include "offer.h"

struct asked_shape {
	struct shapes of;
	struct configuration like;	/* a candidate that has it */
	int candidates;			/* of the first that have it; 0: it is one of the others */
	bool again;			/* some of them recompute */
	bool known;			/* most of their time was measured */
};

struct asked {
	struct inputs in;
	int k;			/* candidates that come first */
	bool keep;		/* all of them, for rows of each */
	size_t nfirst, nall, nshapes, nruns, ncovered;
	struct configuration *first, *all;
	struct asked_shape *shape;
	struct training_run *run;	/* of the stream */
	bool *made;			/* [nruns]: something is known of it */
	struct configuration *covered;	/* names, of what is measured already */
	bool estimates;		/* the first are estimates: candidates are others */
	bool vary[REGIMES][FACTORS];	/* factors in which the candidates of a regime differ */
};

/* Exits where there is no candidate. LEAST: share of a candidate's time that makes it one that is known. */
void asked_read(struct asked *, char *const operands[], const char *cluster, const char *known, double least);
void asked_free(struct asked *);

#endif
