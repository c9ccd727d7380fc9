/* Pairs: join begin and end events (ph B and E). */
#ifndef PAIRS_H
#define PAIRS_H

#include "event.h"

struct pairs {			/* begin events (ph B) without an end (E) yet */
	size_t n;
	struct event *at;	/* with their own texts */
	struct event last;	/* the last one joined */
	char dur[40];
	size_t alone;		/* ends without a beginning, or before it */
};

/* Turn an end into the whole event, an X. Return false if E is to be skipped: a begin, or an end without a begin. */
bool pairs_take(struct pairs *, struct event *, const struct scan *);
void pairs_free(struct pairs *);

#endif
