/* Pairs: events whose beginning and end (ph B and E) are two, as one. */
#ifndef PAIRS_H
#define PAIRS_H

#include "event.h"

struct pairs {			/* events that began (ph B), whose ends (E) have not come */
	size_t n;
	struct event *at;	/* with texts of their own */
	struct event last;	/* that was made whole */
	char dur[40];
	size_t alone;		/* ends without a beginning, or in front of it */
};

/* Make an end the whole event, an X. False: E is not to be looked at: it begins, or ends what did not. */
bool pairs_take(struct pairs *, struct event *, const struct scan *);
void pairs_free(struct pairs *);

#endif
